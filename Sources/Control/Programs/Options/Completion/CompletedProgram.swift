internal import PathModel

/// The command lines of a program, for their completion.
package struct CompletedProgram: Sendable {
  /// The command line as long as no verb is named.
  package var plain: any CommandSyntax.Type
  /// The verbs; empty where the program has none.
  package var verbs: [any CommandSyntax.Type]

  /// A program with its command lines.
  package init(plain: any CommandSyntax.Type, verbs: [any CommandSyntax.Type] = []) {
    (self.plain, self.verbs) = (plain, verbs)
  }

  /// The answer for a command line.
  ///
  /// - Parameters:
  ///   - words: The words behind the name of the program, up to the one at the cursor, which may be empty.
  ///   - interfaces: Lists the interfaces of the machine.
  package func answer(for words: [String], interfaces: () -> [String]) -> CompletionAnswer {
    var line = Line(self)
    for (index, word) in words.dropLast().enumerated() {
      line.read(word)
      if line.isBehindDashes, line.form?.takesCommand == true {
        return CompletionAnswer(.command(at: index + 1), text: words.last ?? "")
      }
    }
    return line.answer(for: words.last ?? "") { interfaces().filter(\.isCompletable) }
  }

  /// A command line that is read up to the cursor.
  private struct Line {
    private let program: CompletedProgram
    /// The command line that is read; `nil` behind an unknown verb.
    private(set) var form: (any CommandSyntax.Type)?
    private var isVerbNamed = false
    private var operands: [String] = []
    /// The option whose value comes next.
    private var option: Option<Void>?
    private(set) var isBehindDashes = false

    init(_ program: CompletedProgram) {
      self.program = program
      form = program.plain
    }

    /// Reads a word before the cursor.
    mutating func read(_ word: String) {
      if option != nil {
        option = nil
      } else if isBehindDashes || word.utf8.first != UInt8(ascii: "-") || word == "-" {
        readOperand(word)
      } else if word == "--" {
        isBehindDashes = true
      } else if let known = option(named: word), known.placeholder != nil {
        option = known
      }
    }

    private mutating func readOperand(_ word: String) {
      if program.verbs.isEmpty || isVerbNamed {
        operands.append(word)
      } else {
        isVerbNamed = true
        form = program.verbs.first { $0.isCalled(word) }
      }
    }

    private func option(named word: String) -> Option<Void>? { form?.shownOptions.first { $0.isCalled(word) } }

    /// The answer for the word at the cursor.
    func answer(for word: String, _ interfaces: () -> [String]) -> CompletionAnswer {
      if let place = option?.placeholder {
        return answer(place.completion, head: "", text: word, interfaces)
      }
      if !isBehindDashes, word.utf8.first == UInt8(ascii: "-") {
        let parts = word.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          .map(String.init)
        guard parts.count == 2 else { return CompletionAnswer(.candidates(options(word))) }
        let place = option(named: parts[0])?.placeholder
        return answer(place?.completion ?? .nothing, head: "\(parts[0])=", text: parts[1], interfaces)
      }
      let answer = answer(operandAtCursor, head: "", text: word, interfaces)
      // If nothing else can stand at the cursor, the options are shown.
      let isNothing = answer.source == .candidates([])
      return isNothing && word.isEmpty && !isBehindDashes ? CompletionAnswer(.candidates(options(""))) : answer
    }

    private var operandAtCursor: Completion {
      if !program.verbs.isEmpty, !isVerbNamed { return .verb }
      return form?.operands.dropFirst(operands.count).first?.completion ?? .nothing
    }

    private func options(_ text: String) -> [CompletionAnswer.Candidate] {
      let refused = operands.first.flatMap { form?.refusedOptions[$0] } ?? []
      return (form?.shownOptions ?? [])
        .filter { $0.name.utf8.starts(with: text.utf8) && !refused.contains($0.name) }
        .map { .init($0.name, $0.summary) }
    }

    private func answer(
      _ completion: Completion, head: String, text: String, _ interfaces: () -> [String]
    ) -> CompletionAnswer {
      let source: CompletionAnswer.Source =
        switch completion {
        case .file: .files
        case .host: .hosts
        case .program: .programs
        case .words(let words): candidates(words, head, text)
        case .interface: candidates(interfaces(), head, text)
        case .requirement:
          .candidates(
            RequirementCompletion.candidates(for: text, interfaces: interfaces).map {
              .init(head + $0.word, $0.meaning)
            })
        case .verb:
          .candidates(
            program.verbs.filter { $0.name.utf8.starts(with: text.utf8) }.map { .init(head + $0.name, $0.summary) })
        case .overrideField:
          candidates(operands.first == "list" ? [] : PathOverride.Field.allCases.map(\.rawValue), head, text)
        case .overrideValue: candidates(overrideValues, head, text)
        case .nothing: .candidates([])
        }
      return CompletionAnswer(source, head: head, text: text)
    }

    private func candidates(_ words: [String], _ head: String, _ text: String) -> CompletionAnswer.Source {
      .candidates(words.filter { $0.utf8.starts(with: text.utf8) }.map { .init(head + $0) })
    }

    /// The values of the field that stands before the cursor, behind `set`.
    private var overrideValues: [String] {
      guard operands.count == 2, operands[0] == "set" else { return [] }
      return PathOverride.Field(rawValue: operands[1])?.allowedValues ?? []
    }
  }
}
