internal import JSON
internal import PathModel
package import SystemIO

/// The record of the addresses, which outlasts a restart of the program. Pure.
///
/// Its file is in a folder that no boot outlasts, as its moments do not.
extension GoneAddresses {
  /// The most addresses of a record that are read.
  private static let longestRecord = 100_000

  /// The addresses as JSON.
  package var record: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    for (key, addresses) in [("present", present), ("tunnels", tunnels)] {
      writer.key(key)
      writer.beginArray()
      for address in addresses.map(\.description).sorted() { writer.string(address) }
      writer.endArray()
    }
    writer.key("missing")
    writer.beginObject()
    for (address, moment) in missing.map({ ($0.description, $1) }).sorted(by: { $0.0 < $1.0 }) {
      writer.key(address)
      writer.integer(moment.nanoseconds)
    }
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }

  /// Takes over the addresses of a record, before the first reading: those that the reading lacks are missing from then
  /// on.
  ///
  /// - Returns: Whether it is a record. Nothing is taken over from anything else.
  package mutating func restore(_ record: [UInt8], at now: MonotonicInstant) -> Bool {
    guard let value = try? JSONValue(parsing: record), let present = Self.addresses(value["present"]),
      let tunnels = Self.addresses(value["tunnels"]), let entries = value["missing"]?.objectValue,
      entries.count <= Self.longestRecord
    else { return false }
    var missing: [IPAddress: MonotonicInstant] = [:]
    for entry in entries.members {
      guard let address = Self.address(entry.key), let moment = entry.value.integerValue else { return false }
      // A moment of another boot may be yet to come.
      missing[address] = min(MonotonicInstant(nanoseconds: moment), now)
    }
    (self.present, self.missing, self.tunnels) = (present, missing, tunnels)
    forgetOldest()
    return true
  }

  private static func addresses(_ list: JSONValue?) -> Set<IPAddress>? {
    guard let list = list?.arrayValue, list.count <= longestRecord else { return nil }
    let addresses = list.compactMap { $0.stringValue.flatMap(address) }
    return addresses.count == list.count ? Set(addresses) : nil
  }

  private static func address(_ text: String) -> IPAddress? {
    IPAddress(unscoped: text).flatMap { $0.isLoopback ? nil : $0 }
  }
}
