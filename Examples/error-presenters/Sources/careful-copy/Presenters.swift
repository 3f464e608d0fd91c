import ErrorHandling
import Foundation
import Synchronization

/// An answer that was given on the command line. It counts once, so that an error that comes back ends the program.
final class PreparedChoice: Sendable {
  private let pending: Mutex<RecoveryOption.ID?>

  init(_ choice: RecoveryOption.ID?) {
    pending = Mutex(choice)
  }

  /// The choice, if the presentation offers it and it is the first time.
  func take(from presentation: ErrorPresentation) -> RecoveryOption.ID? {
    pending.withLock { choice in
      guard presentation.options.contains(where: { $0.id == choice }) else { return nil }
      defer { choice = nil }
      return choice
    }
  }
}

/// One line on standard error, for scripts and logs. The options are named by their identifiers, for `--choose`.
struct LinePresenter: ErrorPresenter {
  private let choice: PreparedChoice

  init(choice: RecoveryOption.ID?) {
    self.choice = PreparedChoice(choice)
  }

  func present(_ presentation: ErrorPresentation) async -> RecoveryOption.ID? {
    if let chosen = choice.take(from: presentation) { return chosen }
    let message = presentation.message
    let ways = presentation.options.filter { $0.role != .cancel }.map { "--choose \($0.id)" }
    let advice = ways.isEmpty ? [] : ["Or: \(ways.joined(separator: ", "))."]
    Self.write(
      ([message.summary, message.reason, message.suggestion].compactMap(\.self) + advice).joined(separator: " "))
    return nil
  }

  /// Writes a line, whatever the text contains.
  static func write(_ text: String) {
    FileHandle.standardError.write(Data("careful-copy: \(text.inOneLine)\n".utf8))
  }
}

/// One line of JSON on standard error, for programs.
struct JSONPresenter: ErrorPresenter {
  private let choice: PreparedChoice

  init(choice: RecoveryOption.ID?) {
    self.choice = PreparedChoice(choice)
  }

  func present(_ presentation: ErrorPresentation) async -> RecoveryOption.ID? {
    if let chosen = choice.take(from: presentation) { return chosen }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if let line = try? encoder.encode(presentation) { FileHandle.standardError.write(line + Data("\n".utf8)) }
    return nil
  }
}

extension String {
  /// The text without characters that move the cursor or end the line.
  var inOneLine: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
          default: scalar
          }
        }))
  }
}
