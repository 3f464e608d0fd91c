import PathModel
import Programs
import Testing

@Suite("Reading a command line")
struct CommandLineReaderTests {
  private enum Effect: Hashable, Sendable { case verbose, limit }

  private static let verbose = CommandLineOption(
    effect: Effect.verbose, name: "--verbose", short: "-v", summary: "Say more")
  private static let limit = CommandLineOption(
    effect: Effect.limit, name: "--limit", short: "-l", value: Placeholder("COUNT"), example: "64",
    summary: "Take no more")

  private static func read(_ arguments: [String]) throws(UsageError) -> [CommandLineReader<Effect>.Argument] {
    var reader = CommandLineReader<Effect>(arguments)
    var read: [CommandLineReader<Effect>.Argument] = []
    while let argument = try reader.next(options: [verbose, limit], usage: "program [FILE]") { read.append(argument) }
    return read
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
    let read = try Self.read(["a", "--verbose", "--limit", "5", "b", "-v", "-l", "6"])
    #expect(
      read == [
        .operand("a"), .option(Self.verbose, value: ""), .option(Self.limit, value: "5"), .operand("b"),
        .option(Self.verbose, value: ""), .option(Self.limit, value: "6"),
      ])
  }

  @Test(arguments: [
    (["--limit=5"], "5"), (["-l=5"], "5"), (["--limit="], ""), (["--limit=a=b"], "a=b"), (["--limit", ""], ""),
    (["--limit", "--verbose"], "--verbose"), (["--limit", "--"], "--"),
  ])
  func `a value is the text behind the equals sign, or the next argument, whatever it is`(
    arguments: [String], value: String
  ) throws {
    #expect(try Self.read(arguments) == [.option(Self.limit, value: value)])
  }

  @Test func `behind two dashes there are only operands, and one dash is an operand`() throws {
    #expect(try Self.read(["--", "--verbose", "--", "-x"]) == [.operand("--verbose"), .operand("--"), .operand("-x")])
    #expect(try Self.read(["--"]).isEmpty)
    #expect(try Self.read(["-", ""]) == [.operand("-"), .operand("")])
  }

  @Test(arguments: [
    (["--verbos"], "there is no option '--verbos' (did you mean '--verbose'?). Correct use: program [FILE]"),
    (["--colour=red"], "there is no option '--colour'. Correct use: program [FILE]"),
    (["-vl"], "there is no option '-vl'. Correct use: program [FILE]"),
    (["--verbose=yes"], "--verbose takes no value, but got 'yes'. Write just --verbose."),
    (["--verbose="], "--verbose takes no value, but got ''. Write just --verbose."),
    (["a", "--limit"], "--limit COUNT lacks its value. Write for example --limit 64."),
    (["--limit", "5", "--first", "--second"], "there is no option '--first'. Correct use: program [FILE]"),
  ])
  func `the first mistake is reported, with the correct use`(arguments: [String], message: String) {
    #expect(Self.message(arguments) == message)
  }

  @Test func `the set of options may change on the way`() throws {
    var reader = CommandLineReader<Effect>(["--verbose", "--limit=1"])
    #expect(try reader.next(options: [Self.verbose], usage: "") == .option(Self.verbose, value: ""))
    #expect(throws: UsageError("there is no option '--limit'. Correct use: program")) {
      try reader.next(options: [Self.verbose], usage: "program")
    }
  }

  @Test func `a value that a program cannot take is named with its option and a correct one`() {
    #expect(
      Self.limit.rejection(of: "many", as: "number", because: "digits are needed").description
        == "'many' is no number for --limit: digits are needed. Write for example --limit 64.")
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
          -v, --verbose      Say more
          -l, --limit COUNT  Take no more

        """)
    #expect(HelpTable.text([]).isEmpty)
    #expect(
      HelpTable.usage(["program", "FILE"], options: [Self.verbose, Self.limit])
        == "program FILE [--verbose] [--limit COUNT]")
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
