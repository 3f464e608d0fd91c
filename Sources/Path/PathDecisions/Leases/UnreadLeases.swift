internal import PathModel

/// A file that may record a lease of an interface, and that cannot be read.
package struct UnreadLease: Hashable, Sendable {
  /// The reason in words, with the name of the file or directory.
  package var reason: String
  /// Whether the name of the file tells the interface, or some for which it may be.
  package var namesInterface: Bool

  /// A file as found.
  package init(_ reason: String, namesInterface: Bool) {
    (self.reason, self.namesInterface) = (reason, namesInterface)
  }
}

/// The lease files that exist and cannot be read, by the interfaces that they may be for.
package struct UnreadLeases: Hashable, Sendable {
  private var byIndex: [Int32: String] = [:]
  private var byName: [ExactText: String] = [:]
  private var anywhere: String?

  /// No such file.
  package init() {}

  /// Adds a file or directory. Of several for an interface, the first one stays.
  package mutating func add(_ subject: LeaseFileSubject, because reason: String) {
    switch subject {
    case .index(let index): if byIndex[index] == nil { byIndex[index] = reason }
    case .names(let names): for name in names.map(\.exact) where byName[name] == nil { byName[name] = reason }
    case .any: if anywhere == nil { anywhere = reason }
    }
  }

  /// The file that may record a lease of the link; `nil` when there is none.
  package subscript(link: LinkFacts) -> UnreadLease? {
    if let named = byIndex[link.index] ?? byName[link.exactName] { return UnreadLease(named, namesInterface: true) }
    return anywhere.map { UnreadLease($0, namesInterface: false) }
  }
}
