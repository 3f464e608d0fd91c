/// The content of the file that keeps overrides across restarts: the table, and the boot that it belongs to.
///
/// ```
/// {"version":1,"bootID":"0c9f…","overrides":[{"field":"isExpensive","value":"false","interface":"wlan0",…}]}
/// ```
package struct OverrideFile: Hashable, Sendable {
  private enum Key: String, CaseIterable {
    case version, bootID, overrides
  }

  /// The version of the format. A change that an older reader must not ignore needs a new version.
  private static let version = 1

  /// The latest and, negative, the earliest moment that an override may name, in microseconds of `CLOCK_BOOTTIME`: 142
  /// years. Within these limits no arithmetic with moments and spans overflows.
  package static let latestMoment = 1 << 52

  /// The boot in which the overrides were set, as in `/proc/sys/kernel/random/boot_id`. Their times are meaningless in
  /// another boot. `nil` when it could not be read.
  package var bootID: String?
  /// The overrides.
  package var table: OverrideTable

  /// Creates a file with this content.
  package init(bootID: String?, table: OverrideTable) {
    self.bootID = bootID
    self.table = table
  }

  /// Reads a file. Unknown keys are ignored. Of two overrides for the same field and interface, the last one is kept.
  ///
  /// - Throws: ``PathDecodingError`` for the first mistake, even in only one of the overrides: a part of an
  ///   administrator's overrides may mean the opposite of the whole.
  package init(json: JSONValue) throws(PathDecodingError) {
    let reader = try ObjectReader<Key>(json)
    let version = try reader.required(.version, try reader.integer(.version))
    guard version == Self.version else {
      throw PathDecodingError.notAllowed(String(version), allowed: [String(Self.version)]).inside(Key.version.rawValue)
    }
    bootID = try reader.string(.bootID)
    table = OverrideTable()
    let overrides = try reader.array(.overrides, PathOverride.init(json:))
    for (index, override) in try reader.required(.overrides, overrides).enumerated() {
      do {
        try table.set(override)
      } catch {
        throw PathDecodingError(key: "\(Key.overrides.rawValue)[\(index)]", message: "is too much: \(error)")
      }
    }
  }

  /// Appends the file as one JSON object.
  package func write(to writer: inout JSONWriter) {
    writer.object(of: Key.self) { key, writer in
      switch key {
      case .version: writer.integer(Self.version)
      case .bootID: writer.optional(bootID)
      case .overrides: writer.array(table.overrides) { $1.write(to: &$0) }
      }
    }
  }
}

extension PathOverride {
  private enum Key: String, CaseIterable {
    case field, value, interface, expires, user, why, setAt
  }

  fileprivate init(json: JSONValue) throws(PathDecodingError) {
    let reader = try ObjectReader<Key>(json)
    let number = try reader.required(.user, try reader.integer(.user))
    guard let user = UInt32(exactly: number) else {
      throw PathDecodingError(key: Key.user.rawValue, message: "is \(number), which is no user")
    }
    let field = try reader.required(.field, try reader.choice(.field, of: Field.self))
    let value = try reader.required(.value, try reader.string(.value))
    let interface = try reader.string(.interface)
    let expires = try Self.moment(.expires, reader)
    let why = try reader.string(.why)
    let setAt = try reader.required(.setAt, try Self.moment(.setAt, reader))
    do {
      try self.init(
        field: field, value: value, interface: interface, expires: expires, user: user, why: why, setAt: setAt)
    } catch {
      throw PathDecodingError(key: error.parameter, message: "is wrong: \(error)")
    }
  }

  private static func moment(_ key: Key, _ reader: ObjectReader<Key>) throws(PathDecodingError) -> Int? {
    guard let moment = try reader.integer(key) else { return nil }
    guard (-OverrideFile.latestMoment...OverrideFile.latestMoment).contains(moment) else {
      throw PathDecodingError(key: key.rawValue, message: "is \(moment), which is no moment of this boot")
    }
    return moment
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.object(of: Key.self) { key, writer in
      switch key {
      case .field: writer.string(field.rawValue)
      case .value: writer.string(value)
      case .interface: writer.optional(interface)
      case .expires: writer.optional(expires)
      case .user: writer.integer(user)
      case .why: writer.optional(why)
      case .setAt: writer.integer(setAt)
      }
    }
  }
}
