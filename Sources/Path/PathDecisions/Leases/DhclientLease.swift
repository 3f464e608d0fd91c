package import PathModel

/// The lease files of ISC dhclient, dhclient.leases(5): one block for each lease, to which each renewal adds another.
///
/// ```
/// lease {
///   interface "eth0";
///   fixed-address 192.168.43.17;
///   option vendor-encapsulated-options 41:4e:44:52:4f:49:44:5f:4d:45:54:45:52:45:44;
/// }
/// ```
package enum DhclientLease {
  /// Each file has all leases of one or all interfaces.
  static let format = LeaseFormat(
    client: "dhclient", directories: ["/var/lib/dhcp", "/var/lib/dhclient"], exampleName: "dhclient.wlan0.leases",
    isLeaseFile: { $0.hasSuffix(".leases") || $0.hasSuffix(".lease") },
    subject: { interfaces(ofFile: $0).map(LeaseFileSubject.names) ?? .any },
    parse: { bytes, _ in RecordedLeases(byName: parse(bytes)) })

  /// The leases in the bytes of a file, by the name of their interface. Of leases of the same address, only the last
  /// one stays.
  package static func parse(_ bytes: [UInt8]) -> [ExactText: [LeaseFacts]] {
    var leases: [ExactText: [LeaseFacts]] = [:]
    var block: Block?
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let statement = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      if statement.starts(with: "lease".utf8), statement.last == UInt8(ascii: "{") {
        block = Block()
      } else if statement.first == UInt8(ascii: "}") {
        if let name = block?.interface, let lease = block?.lease { leases[name, default: []].append(lease) }
        block = nil
      } else {
        block?.apply(statement)
      }
    }
    return leases.mapValues(lastOfEachAddress)
  }

  private static func lastOfEachAddress(_ leases: [LeaseFacts]) -> [LeaseFacts] {
    var seen: Set<IPAddress> = []
    return leases.reversed().filter { seen.insert($0.address).inserted }.reversed()
  }

  /// The interfaces that a file such as `dhclient.eth0.leases` or `dhclient-UUID-eth0.lease` may be for, by its name;
  /// `nil` for a name such as `dhclient.leases`, which names none.
  package static func interfaces(ofFile name: String) -> [String]? {
    let stem = name.dropLast(name.hasSuffix(".leases") ? 7 : 6)
    let starts = stem.indices.filter { stem[$0] == "-" || stem[$0] == "." }.map { stem.index(after: $0) }
    let names = starts.map { String(stem[$0...]) }.filter { InterfaceName.problem(with: $0) == nil }
    return names.isEmpty ? nil : names
  }

  /// The names of the options that name a portal, in the order of ``PortalAddress/options``. Administrators mostly
  /// define option 114 as `captive-portal`.
  private static let portalOptions = [
    ["default-url", "captive-portal", "unknown-114"], ["v4-captive-portal", "unknown-160"],
  ]

  private struct Block {
    var interface: ExactText?
    var address: IPAddress?
    var isMetered = false
    /// The values of the options that name a portal, by their place in ``PortalAddress/options``.
    var portals = [String?](repeating: nil, count: PortalAddress.options.count)

    var lease: LeaseFacts? {
      guard let address, address.family == .ipv4 else { return nil }
      return LeaseFacts(address: address, isMetered: isMetered, portal: portals.lazy.compactMap(\.self).first)
    }

    mutating func apply(_ statement: ArraySlice<UInt8>) {
      if let value = DhclientLease.value(of: "interface ", in: statement) {
        interface = String(nameBytes: value).exact
      } else if let value = DhclientLease.value(of: "fixed-address ", in: statement) {
        address = IPAddress(unscoped: String(decoding: value, as: UTF8.self))
      } else if let value = DhclientLease.value(of: "option vendor-encapsulated-options ", in: statement) {
        // The value is text in quotation marks if all bytes are printable, else one or two digits for each, with colons
        // between.
        isMetered =
          LeaseFacts.isMetered(vendorInformation: value)
          || (DhclientLease.bytes(of: value).map(LeaseFacts.isMetered(vendorInformation:)) ?? false)
      } else {
        for (place, names) in DhclientLease.portalOptions.enumerated() {
          guard let value = names.lazy.compactMap({ DhclientLease.value(of: "option \($0) ", in: statement) }).first
          else { continue }
          portals[place] = PortalAddress.text(of: value) ?? DhclientLease.bytes(of: value).flatMap(PortalAddress.text)
        }
      }
    }
  }

  /// The value after the keyword, without semicolon and quotation marks; `nil` when the statement is another one.
  private static func value(of keyword: String, in statement: ArraySlice<UInt8>) -> [UInt8]? {
    guard statement.starts(with: keyword.utf8) else { return nil }
    var value = statement.dropFirst(keyword.utf8.count)
    if value.last == UInt8(ascii: ";") { value.removeLast() }
    // The name of an interface may contain both signs.
    guard value.count > 1, value.first == UInt8(ascii: "\""), value.last == value.first else { return Array(value) }
    return Array(value.dropFirst().dropLast())
  }

  /// The bytes of a text such as `41:4e:4`, with colons; `nil` for any other text.
  private static func bytes(of text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for digits in text.split(separator: UInt8(ascii: ":")) {
      let padded = digits.count == 1 ? [UInt8(ascii: "0")] + digits : Array(digits)
      guard padded.count == 2, let byte = Hexadecimal.bytes(of: padded) else { return nil }
      bytes += byte
    }
    return bytes
  }
}
