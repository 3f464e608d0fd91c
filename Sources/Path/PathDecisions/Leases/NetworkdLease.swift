internal import PathModel

/// The lease files of systemd-networkd, `/run/systemd/netif/leases/INDEX`: lines `KEY=value`, written by systemd's
/// `dhcp_lease_save()`. The address for the sign-in is in the file of the link, by `link_save()`, also if it comes from
/// a router advertisement.
package enum NetworkdLease {
  /// Each file has the lease of the interface with the index that is its name.
  static let format = LeaseFormat(
    client: "systemd-networkd", directories: ["/run/systemd/netif/leases"],
    furtherDirectory: "/run/systemd/netif/links", exampleName: "7",
    isLeaseFile: { Int32($0) != nil },
    subject: { Int32($0).map(LeaseFileSubject.index) ?? .any },
    parse: { bytes, name in
      guard let index = Int32(name), let lease = parse(bytes) else { return RecordedLeases() }
      return RecordedLeases(byIndex: [index: [lease]])
    })

  /// The lease in the bytes of a file; `nil` when no IPv4 address is in it.
  package static func parse(_ bytes: [UInt8]) -> LeaseFacts? {
    var address: IPAddress?
    var isMetered = false
    var portal: String?
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let value = line[line.index(after: sign)...]
      if line[..<sign].elementsEqual("ADDRESS".utf8) {
        address = IPAddress(unscoped: String(decoding: value, as: UTF8.self))
      } else if line[..<sign].elementsEqual("VENDOR_SPECIFIC".utf8) {
        isMetered = Hexadecimal.bytes(of: value).map(LeaseFacts.isMetered(vendorInformation:)) ?? false
      } else if line[..<sign].elementsEqual("CAPTIVE_PORTAL".utf8) {
        portal = PortalAddress.text(of: value)
      }
    }
    guard let address, address.family == .ipv4 else { return nil }
    return LeaseFacts(address: address, isMetered: isMetered, portal: portal)
  }
}

/// Bytes written as hexadecimal digits.
enum Hexadecimal {
  /// The bytes that pairs of digits stand for; `nil` for any other text.
  static func bytes(of text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for byte in text {
      guard let digit = digit(byte) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? bytes : nil
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
