import Dispatch
import ErrorHandling
import Foundation

/// The text of a menu, and the meaning of an answer.
struct MenuText: Equatable {
  /// The lines above the question.
  let lines: [String]
  /// The question.
  let question: String
  private let options: [RecoveryOption.ID]

  init(_ presentation: ErrorPresentation) {
    let message = presentation.message
    let text = [message.summary, message.reason, message.suggestion].compactMap { $0?.inOneLine }
    let choices = presentation.options.enumerated().map { "  \($0 + 1)  \($1.title.inOneLine)" }
    lines = text + [""] + choices
    options = presentation.options.map(\.id)
    question = options.count == 1 ? "Press Return: " : "Choose 1 to \(options.count): "
  }

  /// The option for a line of the user; `nil` when it is none of the numbers. An empty line gives up.
  func option(for answer: String) -> RecoveryOption.ID? {
    let answer = answer.trimmingCharacters(in: .whitespaces)
    if answer.isEmpty { return options.last }
    guard let number = Int(answer), options.indices.contains(number - 1) else { return nil }
    return options[number - 1]
  }
}

/// A menu on the terminal.
struct TerminalMenu: ErrorPresenter {
  func present(_ presentation: ErrorPresentation) async -> RecoveryOption.ID? {
    let menu = MenuText(presentation)
    write((menu.lines.joined(separator: "\n")) + "\n")
    write(menu.question)
    let input = TerminalInput()
    defer { withExtendedLifetime(input) {} }
    for await line in input.lines {
      if let option = menu.option(for: line) { return option }
      write(menu.question)
    }
    // The end of the input, or the task was cancelled.
    write("\n")
    return nil
  }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

/// The lines that the user types, as long as the object exists. The terminal hands over whole lines, and no thread
/// waits for them.
private final class TerminalInput {
  let lines: AsyncStream<String>
  private let source: any DispatchSourceRead

  init() {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO)
    source.setEventHandler {
      let bytes = FileHandle.standardInput.availableData
      if bytes.isEmpty { return continuation.finish() }
      let pieces = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      for line in pieces.dropLast() { continuation.yield(String(line)) }
    }
    source.activate()
  }

  deinit {
    source.cancel()
  }
}
