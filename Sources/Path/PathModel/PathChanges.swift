/// The changes of a path after which a program may have to connect anew. In each of them the path is satisfied before
/// and after, and leads another way.
public struct PathChanges: OptionSet, Hashable, Sendable {
  /// A bit for each change.
  public let rawValue: UInt8

  /// The changes with these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The source address of unbound sockets is another one, for IPv4 or for IPv6, or it has gone.
  ///
  /// A family that comes is no such change, and neither is another IPv6 address while the former one is still there.
  /// The kernel prefers younger addresses, and connections over the former one go on. For a path that does not know its
  /// ``NetworkPath/sourceAddresses``, the addresses of its first interface decide.
  public static let source = Self(rawValue: 1 << 0)
  /// Another interface carries the traffic, also a new one with the name of the former.
  public static let interface = Self(rawValue: 1 << 1)
  /// The routers of the interface that carries the traffic are others, for IPv4 or for IPv6, or they have gone.
  public static let gateway = Self(rawValue: 1 << 2)
  /// The addresses of the interface that carries the traffic are others: one has come or gone.
  public static let addresses = Self(rawValue: 1 << 3)
  /// The path is better: it was expensive, and is known not to be any more.
  public static let better = Self(rawValue: 1 << 4)
}

extension PathChanges {
  /// Each single change with its word for command lines and programs, and as a phrase.
  package static let all: [(change: PathChanges, word: String, phrase: String)] = [
    (.source, "source", "another source address"), (.interface, "interface", "another interface"),
    (.gateway, "gateway", "another router"), (.addresses, "addresses", "another set of addresses"),
    (.better, "better", "an unmetered path"),
  ]

  /// The words of the changes.
  package var words: [String] { Self.all.filter { contains($0.change) }.map(\.word) }

  /// The changes in a phrase, such as "another source address and another router".
  package var phrase: String {
    let phrases = Self.all.filter { contains($0.change) }.map(\.phrase)
    guard phrases.count > 1, let last = phrases.last else { return phrases.first ?? "no change" }
    return phrases.dropLast().joined(separator: ", ") + " and " + last
  }
}
