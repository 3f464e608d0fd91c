internal import PathModel
package import SystemIO

/// The record of the addresses, which outlasts a restart of the program. Pure.
///
/// It has a line for each address: the address, the moment since which it is missing, or `-` for one that is there, and
/// `tunnel` if a tunnel has it. Its file is in a folder that no boot outlasts, as the moments do not.
extension GoneAddresses {
  /// The text of the record.
  package var record: [UInt8] {
    let moments = present.map { ($0, "-") } + missing.map { ($0.key, String($0.value.nanoseconds)) }
    return Array(
      moments.map { "\($0) \($1)\(tunnels.contains($0) ? " tunnel" : "")\n" }.sorted().joined().utf8)
  }

  /// Takes over the addresses of a record, before the first reading: those that the reading lacks are missing from then
  /// on.
  ///
  /// - Returns: Whether it is a record. Nothing is taken over from anything else.
  package mutating func restore(_ record: [UInt8], at now: MonotonicInstant) -> Bool {
    var restored = self
    for line in record.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 2 || words.count == 3 && words[2] == "tunnel", let address = IPAddress(unscoped: words[0]),
        !address.isLoopback
      else { return false }
      if words.count == 3 { restored.tunnels.insert(address) }
      if words[1] == "-" {
        restored.present.insert(address)
      } else {
        guard let moment = Int64(words[1]) else { return false }
        // A moment of another boot may be yet to come.
        restored.missing[address] = min(MonotonicInstant(nanoseconds: moment), now)
      }
    }
    restored.forgetOldest()
    self = restored
    return true
  }
}
