package import PathModel

/// A format in which a DHCP client records its leases. The reading of files, the tests and the fuzzers walk ``all``; a
/// test compares the table in `docs/cost.md` with it.
package struct LeaseFormat: Sendable {
  /// The program that writes the files, as documents name it.
  package let client: String
  /// The directories in which the program writes them.
  package let directories: [String]
  /// The directory where the program writes a file of the same name with more about the interface, which is read behind
  /// the lease and ``separator``; `nil` where there is none.
  package var furtherDirectory: String? = nil
  /// The name of such a file, for tests and fuzzers.
  package let exampleName: String
  /// Whether a file of these directories records leases, by its name.
  package let isLeaseFile: @Sendable (_ name: String) -> Bool
  /// The interfaces whose leases a file may record, by its name.
  package let subject: @Sendable (_ name: String) -> LeaseFileSubject
  /// The leases in the bytes of a file with the given name; none in bytes that are not of the format.
  package let parse: @Sendable (_ bytes: [UInt8], _ name: String) -> RecordedLeases

  /// The byte between a lease and the further file: no text has it.
  package static let separator: UInt8 = 0

  /// Every format.
  package static let all = [NetworkdLease.format, DhclientLease.format, DhcpcdLease.format]
}

/// The interfaces whose leases a file may record.
package enum LeaseFileSubject: Hashable, Sendable {
  /// The interface with the index.
  case index(Int32)
  /// An interface with one of the names.
  case names([String])
  /// Any interface: the name of the file does not tell.
  case any
}

/// Leases by the interface that they are for.
package struct RecordedLeases: Hashable, Sendable {
  /// The leases of clients that name an interface by its index.
  package var byIndex: [Int32: [LeaseFacts]] = [:]
  /// The leases of clients that name an interface by its name.
  package var byName: [ExactText: [LeaseFacts]] = [:]

  /// Leases as given.
  package init(byIndex: [Int32: [LeaseFacts]] = [:], byName: [ExactText: [LeaseFacts]] = [:]) {
    (self.byIndex, self.byName) = (byIndex, byName)
  }

  /// Adds the leases of another file.
  package mutating func add(_ other: RecordedLeases) {
    byIndex.merge(other.byIndex) { $0 + $1 }
    byName.merge(other.byName) { $0 + $1 }
  }
}
