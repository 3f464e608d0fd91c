/// A text from elsewhere, which is compared by its bytes: the name of an interface or of a network, or the reason of
/// an override.
///
/// Two texts of Swift are equal if they are canonically equivalent, such as `é` as one scalar and as two. For the
/// kernel these are two names, and anybody who may name an interface can choose the second one. So a value that holds a
/// name stores it as this type, and its equality and its hash then follow the bytes. A name that is compared or that is
/// a key is of this type as well.
package struct ExactText: Sendable, Hashable {
  /// The text.
  package let text: String

  /// A text to compare by its bytes.
  package init(_ text: String) {
    self.text = text
  }

  /// Whether both have the same bytes.
  package static func == (left: ExactText, right: ExactText) -> Bool {
    let (left, right) = (left.text.utf8.span, right.text.utf8.span)
    return left.count == right.count && left.indices.allSatisfy { left[$0] == right[$0] }
  }

  /// Hashes the text. Equivalent texts have one hash, and their bytes distinguish them.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}

extension ExactText: Comparable {
  /// Whether the bytes of the left text sort first.
  package static func < (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}

extension ExactText: ExpressibleByStringLiteral {
  /// A text in the source of a program.
  package init(stringLiteral text: String) {
    self.init(text)
  }
}

extension ExactText: CustomStringConvertible, CustomDebugStringConvertible {
  /// The text.
  package var description: String { text }
  /// The text in quotation marks.
  package var debugDescription: String { text.debugDescription }
}

extension String {
  /// The text as one that is compared by its bytes.
  package var exact: ExactText { ExactText(self) }
}
