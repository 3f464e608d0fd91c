internal import PathModel

/// The lease files of dhcpcd, `/var/lib/dhcpcd/INTERFACE[-SSID].lease`: the server's last packet as it came (RFC 2131).
package enum DhcpcdLease {
  /// Each file has the lease of an interface, or of one of its networks.
  static let format = LeaseFormat(
    client: "dhcpcd", directories: ["/var/lib/dhcpcd", "/var/lib/dhcpcd5"], exampleName: "wlan0.lease",
    isLeaseFile: { $0.hasSuffix(".lease") },
    subject: { .names(interfaces(ofFile: $0)) },
    parse: { bytes, name in
      guard let lease = parse(bytes) else { return RecordedLeases() }
      return RecordedLeases(
        byName: Dictionary(uniqueKeysWithValues: interfaces(ofFile: name).map { ($0.exact, [lease]) }))
    })

  /// The lease in a packet; `nil` when there is none.
  package static func parse(_ packet: [UInt8]) -> LeaseFacts? {
    // op = BOOTREPLY, and the cookie before the options.
    guard packet.count >= 240, packet[0] == 2, packet[236..<240].elementsEqual([99, 130, 83, 99]) else { return nil }
    let number = packet[16..<20].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    var options: [UInt8: [UInt8]] = [:]
    var rest = packet[240...]
    while let code = rest.popFirst(), code != 255 {
      if code == 0 { continue }
      guard let length = rest.popFirst(), rest.count >= Int(length) else { break }
      options[code, default: []] += rest.prefix(Int(length))
      rest = rest.dropFirst(Int(length))
    }
    return LeaseFacts(ipv4: number, options: options)
  }

  /// The interfaces that a file may be for, by its name: the name of a network may follow that of the interface, and
  /// both may contain a dash. The address in the file decides among them.
  package static func interfaces(ofFile name: String) -> [String] {
    guard name.hasSuffix(".lease") else { return [] }
    // Bytes, because the name of a network may begin with a combining mark.
    let stem = name.utf8.dropLast(6)
    let ends = stem.indices.filter { stem[$0] == UInt8(ascii: "-") } + [stem.endIndex]
    return ends.map { String(Substring(stem[..<$0])) }.filter { InterfaceName.problem(with: $0) == nil }
  }
}
