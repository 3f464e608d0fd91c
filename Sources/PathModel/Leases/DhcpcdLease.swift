/// The lease files of dhcpcd, `/var/lib/dhcpcd/INTERFACE[-SSID].lease`: the server's last packet as it came (RFC 2131).
package enum DhcpcdLease {
  /// The lease in a packet; `nil` when it is none.
  package static func parse(_ packet: [UInt8]) -> LeaseFacts? {
    // op = BOOTREPLY, and the cookie before the options.
    guard packet.count >= 240, packet[0] == 2, packet[236..<240].elementsEqual([99, 130, 83, 99]) else { return nil }
    let number = packet[16..<20].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard number != 0 else { return nil }
    var isMetered = false
    var rest = packet[240...]
    while let code = rest.popFirst(), code != 255 {
      if code == 0 { continue }
      guard let length = rest.popFirst(), rest.count >= Int(length) else { break }
      if code == 43, LeaseFacts.isMetered(vendorInformation: rest.prefix(Int(length))) { isMetered = true }
      rest = rest.dropFirst(Int(length))
    }
    return LeaseFacts(address: IPAddress(ipv4: number), isMetered: isMetered)
  }

  /// The interface that a file is for, by its name: what is before the last of the names that are known, and a network's
  /// name may follow; `nil` when it is no lease file of one of the interfaces.
  ///
  /// - Parameter interfaces: The names of the interfaces; one of them can begin with another one and a dash.
  package static func interface(ofFile name: String, among interfaces: some Sequence<String>) -> String? {
    guard name.hasSuffix(".lease") else { return nil }
    let stem = name.dropLast(6)
    return interfaces.filter { stem == $0 || stem.hasPrefix($0 + "-") }.max { $0.count < $1.count }
  }
}
