import PathModel
import Programs
import Testing

@Suite("Reading a command line")
struct CommandLineReaderTests {
  /// What the options of a command line have done, in order.
  private struct Line: Hashable, Sendable {
    var words: [String] = []
  }

  private static let verbose = Option<Line>("--verbose", short: "-v", summary: "Say more") {
    $0.words.append("verbose")
  }
  private static let limit = Option<Line>(
    "--limit", formerName: "--count", Placeholder("COUNT"), example: "64", summary: "Take no more"
  ) { (line, value) throws(UsageError) in
    if value.text == "many" { throw value.rejected(as: "number", because: "digits are needed") }
    line.words.append("limit \(value.text)")
  }

  /// The options and operands in the order of the command line.
  private static func read(_ arguments: [String]) throws(UsageError) -> [String] {
    var reader = CommandLineReader(arguments)
    var line = Line()
    while let operand = try reader.nextOperand(into: &line, [verbose, limit], usage: "program [FILE]") {
      line.words.append(operand)
    }
    return line.words
  }

  private static func message(_ arguments: [String]) -> String? {
    do throws(UsageError) {
      _ = try read(arguments)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `options and operands come in the order of the command line`() throws {
    #expect(try Self.read([]).isEmpty)
    let read = try Self.read(["a", "--verbose", "--limit", "5", "b", "-v", "--count", "6"])
    #expect(read == ["a", "verbose", "limit 5", "b", "verbose", "limit 6"])
    var reader = CommandLineReader(["a", "-v", "b"])
    var line = Line()
    #expect(try reader.operands(into: &line, [Self.verbose], usage: "") == ["a", "b"])
    #expect(line.words == ["verbose"])
  }

  @Test(arguments: [
    (["--limit=5"], "5"), (["--count=5"], "5"), (["--limit="], ""), (["--limit=a=b"], "a=b"), (["--limit", ""], ""),
    (["--limit", "--verbose"], "--verbose"), (["--limit", "--"], "--"),
  ])
  func `a value is the text behind the equals sign, or the next argument, whatever it is`(
    arguments: [String], value: String
  ) throws {
    #expect(try Self.read(arguments) == ["limit \(value)"])
  }

  @Test func `behind two dashes there are only operands, and one dash is an operand`() throws {
    #expect(try Self.read(["--", "--verbose", "--", "-x"]) == ["--verbose", "--", "-x"])
    #expect(try Self.read(["--"]).isEmpty)
    #expect(try Self.read(["-", ""]) == ["-", ""])
  }

  @Test(arguments: [
    (["--verbos"], "there is no option '--verbos' (did you mean '--verbose'?). Correct use: program [FILE]"),
    (["--colour=red"], "there is no option '--colour'. Correct use: program [FILE]"),
    (["-vl"], "there is no option '-vl'. Correct use: program [FILE]"),
    (["--verbose=yes"], "--verbose takes no value, but got 'yes'. Write just --verbose."),
    (["--verbose="], "--verbose takes no value, but got ''. Write just --verbose."),
    (["a", "--limit"], "--limit COUNT lacks its value. Write for example --limit 64."),
    (["--limit", "5", "--first", "--second"], "there is no option '--first'. Correct use: program [FILE]"),
    (
      ["--limit", "many", "--first"],
      "'many' is no number for --limit: digits are needed. Write for example --limit 64."
    ),
  ])
  func `the first mistake is reported, with the correct use`(arguments: [String], message: String) {
    #expect(Self.message(arguments) == message)
  }

  @Test func `the set of options may change on the way, and with it the target`() throws {
    var reader = CommandLineReader(["--verbose", "verb", "--limit=1"])
    var line = Line()
    #expect(try reader.nextOperand(into: &line, [Self.verbose], usage: "") == "verb")
    #expect(line.words == ["verbose"] && reader.rest == ["--limit=1"])
    #expect(throws: UsageError("there is no option '--limit'. Correct use: program")) {
      try reader.nextOperand(into: &line, [Self.verbose], usage: "program")
    }
  }

  private static let place = Placeholder("PLACE")

  @Test(
    arguments: [
      (["a"], [.file], nil), ([], [.file.optional], nil), (["a"], [.file.optional], nil), ([], [], nil),
      ([], [.file], "FILE is missing. Correct use: program FILE"),
      (["a"], [.file, place], "PLACE is missing. Correct use: program FILE PLACE"),
      (["a", "b"], [.file], "'b' is one argument too many for 'program'. Correct use: program FILE"),
      (["a"], [], "'a' is one argument too many for 'program'. Correct use: program"),
    ] as [([String], [Placeholder], String?)])
  func `the number of operands is that of the usage line`(operands: [String], places: [Placeholder], message: String?) {
    let usage = (["program"] + places.map(\.usage)).joined(separator: " ")
    #expect(UsageError(operands: operands, for: places, of: "program", usage: usage)?.description == message)
  }

  // MARK: Help

  @Test func `tables are aligned, and show what is typed`() {
    #expect(
      HelpTable.text(of: [Self.verbose, Self.limit]) == """
          -v, --verbose  Say more
          --limit COUNT  Take no more

        """)
    #expect(HelpTable.text([]).isEmpty)
    #expect(
      HelpTable.usage(["program", "FILE"], options: [Self.verbose, Self.limit])
        == "program FILE [--verbose] [--limit COUNT]")
  }

  @Test func `a list is filled to the width of a line, each of which is indented`() {
    let lines = HelpTable.filled(Array(repeating: "word", count: 30).joined(separator: " "), indentation: 2)
      .split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix("  word") && $0.count <= 100 })
    #expect(HelpTable.filled("").isEmpty)
  }

  @Test(arguments: [
    ("stauts", " (did you mean 'status'?)"), ("statu", " (did you mean 'status'?)"), ("x", ""), ("frobnicate", ""),
    ("", ""),
  ])
  func `a name is suggested when it is near`(word: String, suggestion: String) {
    #expect(Suggestion.text(for: word, among: ["status", "watch"]) == suggestion)
    #expect(Suggestion.text(for: word, among: []).isEmpty)
  }
}
