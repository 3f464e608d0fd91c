internal import PathModel

/// A shell that completes command lines, and the form of the answers that its function reads.
///
/// An answer is a list of lines: the source of the candidates, the head, the text, and one line for each candidate. If
/// a nested command line begins before the cursor, the source ends with the number of words before that command.
package enum CompletingShell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The answer as the function of the shell reads it.
  ///
  /// - Parameters:
  ///   - program: The program whose command line is completed.
  ///   - arguments: The arguments from the function of the shell, after the name of the shell.
  ///   - interfaces: Lists the interfaces of the machine.
  package func answer(
    of program: CompletedProgram, to arguments: [String], interfaces: () -> [String]
  ) -> String {
    switch self {
    case .bash: return BashLine(arguments).answer(of: program, interfaces: interfaces)
    case .zsh: return lines(program.answer(for: arguments, interfaces: interfaces)) { Self.described($0) }
    case .fish: return lines(program.answer(for: arguments, interfaces: interfaces)) { "\($0.word)\t\($0.meaning)" }
    }
  }

  private func lines(_ answer: CompletionAnswer, _ line: (CompletionAnswer.Candidate) -> String) -> String {
    let (source, candidates): (String, [CompletionAnswer.Candidate]) =
      switch answer.source {
      case .candidates(let candidates): ("words", candidates)
      case .files: ("files", [])
      case .hosts: ("hosts", [])
      case .programs: ("programs", [])
      case .command(let index): ("command \(index + 1)", [])
      }
    return ([source, answer.head, answer.text] + candidates.map(line)).map { $0 + "\n" }.joined()
  }

  /// A candidate for `_describe`, behind a sign that says whether a space follows it.
  private static func described(_ candidate: CompletionAnswer.Candidate) -> String {
    "\(candidate.isOpen ? "-" : "+")\(candidate.word.describedForZsh)\(candidate.meaning.isEmpty ? "" : ":\(candidate.meaning)")"
  }
}

/// A command line from bash, which cuts words at equals signs and colons. Here these characters belong to words.
///
/// Bash inserts only the part behind the last cut. A line before the candidates therefore gives the part of the word at
/// the cursor that stays.
struct BashLine {
  /// The words, joined again.
  private var words: [String] = []
  /// The index of the first piece of each word.
  private var starts: [Int] = []
  /// The characters at which bash cuts words.
  private let breaks: String

  /// - Parameter arguments: The value of `COMP_WORDBREAKS`, and the pieces behind the name of the program.
  init(_ arguments: [String]) {
    breaks = arguments.first ?? ""
    var isCut = false
    for (index, piece) in arguments.dropFirst().enumerated() {
      let isBreak = !piece.isEmpty && piece.unicodeScalars.allSatisfy { $0 == "=" || $0 == ":" }
      if index > 0, isCut || isBreak {
        words[words.count - 1] += piece
      } else {
        words.append(piece)
        starts.append(index)
      }
      isCut = isBreak
    }
  }

  func answer(of program: CompletedProgram, interfaces: () -> [String]) -> String {
    let answer = program.answer(for: words, interfaces: interfaces)
    var candidates: [String] = []
    let source: String
    switch answer.source {
    case .candidates(let all):
      source = "words"
      // Each candidate begins with the bytes of the word at the cursor.
      let (typed, cut) = (words.last?.utf8.count ?? 0, cut.utf8.count)
      candidates = all.map(\.word.utf8).filter { String(Substring($0.dropFirst(typed))).isPlainForBash }
        .map { String(Substring($0.dropFirst(cut))) }
    case .files: source = "file"
    case .hosts: source = "hostname"
    case .programs: source = "command"
    case .command(let index): source = "\(index == words.count - 1 ? "command" : "file") \(starts[index] + 1)"
    }
    return ([source, answer.head, answer.text, cut] + candidates).map { $0 + "\n" }.joined()
  }

  /// The part of the word at the cursor that bash leaves alone.
  private var cut: String {
    guard let word = words.last,
      let position = word.unicodeScalars.lastIndex(where: {
        ($0 == "=" || $0 == ":") && breaks.unicodeScalars.contains($0)
      })
    else { return "" }
    return String(word.unicodeScalars[...position])
  }
}
