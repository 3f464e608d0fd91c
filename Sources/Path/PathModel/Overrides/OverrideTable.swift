/// All overrides in force, at most one for each field and interface.
package struct OverrideTable: Hashable, Sendable {
  /// There is no room for another override.
  package struct LimitError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The most overrides that there can be.
    package let limit: Int

    /// The problem and its remedy, without a full stop.
    package var description: String { "there are \(limit) overrides, as many as there can be; clear some first" }
  }

  /// The most overrides that there can be.
  package static let limit = 64

  /// The overrides by field, those of all interfaces first, then by name. The order does not depend on the one in
  /// which they were set, so that a path never changes because of it.
  package private(set) var overrides: [PathOverride] = []

  /// A table without overrides.
  package init() {}

  /// When the next override ends, in microseconds of `CLOCK_BOOTTIME`; `nil` when none will.
  package var nextExpiry: Int? { overrides.compactMap(\.expires).min() }

  /// Puts an override into force, in place of the one for the same field and interface.
  ///
  /// - Throws: ``LimitError`` when there are ``limit`` others.
  package mutating func set(_ override: PathOverride) throws(LimitError) {
    if let position = overrides.firstIndex(where: {
      $0.field == override.field && $0.exactInterface == override.exactInterface
    }) {
      overrides[position] = override
      return
    }
    guard overrides.count < Self.limit else { throw LimitError(limit: Self.limit) }
    let position = overrides.firstIndex { Self.precedes(override, $0) } ?? overrides.endIndex
    overrides.insert(override, at: position)
  }

  private static func precedes(_ left: PathOverride, _ right: PathOverride) -> Bool {
    let fields = PathOverride.Field.allCases.map(\.rawValue)
    let ranks = [left, right].map { fields.firstIndex(of: $0.field.rawValue) ?? fields.count }
    // No interface has an empty name, so the overrides for all of them come first.
    return (ranks[0], left.exactInterface ?? "") < (ranks[1], right.exactInterface ?? "")
  }

  /// Ends overrides: all of them, all of a field, all on an interface, or the one for both.
  ///
  /// - Parameters:
  ///   - field: The field; `nil` for every one.
  ///   - interface: The interface; `nil` for every one, including the overrides for all interfaces.
  /// - Returns: The number of overrides that were ended.
  @discardableResult
  package mutating func clear(field: PathOverride.Field?, interface: String?) -> Int {
    let count = overrides.count
    overrides.removeAll { override in
      (field == nil || override.field == field) && (interface == nil || override.exactInterface == interface?.exact)
    }
    return count - overrides.count
  }

  /// Ends the overrides whose time has come.
  ///
  /// - Parameter now: Microseconds of `CLOCK_BOOTTIME`.
  /// - Returns: Whether there were any.
  package mutating func removeExpired(at now: Int) -> Bool {
    let count = overrides.count
    overrides.removeAll { $0.expires.map { $0 <= now } ?? false }
    return overrides.count < count
  }
}
