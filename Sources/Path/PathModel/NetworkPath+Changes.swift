extension NetworkPath {
  /// Some of the fields of a path, each one bit.
  package struct FieldSet: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// The field at a position of ``NetworkPath/Field/all``.
    init(position: Int) {
      self.init(rawValue: 1 << UInt32(truncatingIfNeeded: position))
    }

    /// The positions of the fields in ``NetworkPath/Field/all``, in ascending order.
    package var positions: Positions { Positions(rest: rawValue) }

    /// The names of the fields, in the order of the wire.
    package var names: [String] { positions.map { Field.all[$0].rawValue } }

    /// The positions of the bits of a set.
    package struct Positions: Sequence, IteratorProtocol {
      fileprivate var rest: UInt32

      /// The next position; `nil` after the last one.
      package mutating func next() -> Int? {
        guard rest != 0 else { return nil }
        defer { rest &= rest - 1 }
        return rest.trailingZeroBitCount
      }
    }
  }

  /// The content of ``NetworkPath/changed``: a set in a path of our own, so that an update allocates nothing for it.
  /// It is names in a path of a service or a program, which may know other fields.
  package enum Changes: Sendable {
    case fields(FieldSet)
    case names([String])

    /// The names of the fields.
    package var names: [String] {
      switch self {
      case .fields(let fields): fields.names
      case .names(let names): names
      }
    }
  }

  /// The names of the fields that differ from the update before; empty in a stream's first.
  public var changed: [String] {
    get { changes.names }
    set { changes = newValue.isEmpty ? .fields([]) : .names(newValue) }
  }

  /// Sets ``changed`` to the fields in which this path differs from an earlier one; to none if there is no earlier one.
  package mutating func noteChanges(since earlier: NetworkPath?) {
    changes = .fields(earlier.map { differences(from: $0) } ?? [])
  }

  /// The names of the fields in which this path differs from an earlier one.
  ///
  /// The names are those of the properties and of the JSON keys.
  public func fieldsChanged(since earlier: NetworkPath) -> [String] {
    differences(from: earlier).names
  }
}
