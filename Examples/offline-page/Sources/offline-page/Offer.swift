/// A command of the operator that may bring the network back, and the title of its button.
struct Offer: Equatable, Sendable {
  var title: String
  /// A command line for `/bin/sh`.
  var command: String

  init(title: String, command: String) {
    (self.title, self.command) = (title, command)
  }

  /// An offer from `TITLE=COMMAND`; `nil` if a part is missing.
  init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.init(title: parts[0], command: parts[1])
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
