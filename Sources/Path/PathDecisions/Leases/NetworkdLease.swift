internal import PathModel

/// The lease files of systemd-networkd, `/run/systemd/netif/leases/INDEX`, written by systemd's `dhcp_lease_save()`:
/// lines `KEY=value`, from newer versions the server's message in JSON. The address for the sign-in is in the file of
/// the link, by `link_save()`, also if it comes from a router advertisement.
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

  /// The lease in the bytes of a file, behind which those of the link's file may follow; `nil` when no IPv4 address is
  /// in it.
  package static func parse(_ bytes: [UInt8]) -> LeaseFacts? {
    let files = bytes.split(separator: LeaseFormat.separator, maxSplits: 1, omittingEmptySubsequences: false)
    guard let file = files.first else { return nil }
    var lease = file.first == UInt8(ascii: "{") ? Self.lease(json: Array(file)) : Self.lease(lines: file)
    let announced = files.count > 1 ? value(of: "CAPTIVE_PORTAL", in: files[1]) : nil
    if let portal = announced.flatMap({ PortalAddress.text(of: $0) }) { lease?.portal = portal }
    return lease
  }

  private static func lease(lines file: ArraySlice<UInt8>) -> LeaseFacts? {
    guard let value = value(of: "ADDRESS", in: file),
      let address = IPAddress(unscoped: String(decoding: value, as: UTF8.self)), address.family == .ipv4
    else { return nil }
    let vendor = Self.value(of: "VENDOR_SPECIFIC", in: file).flatMap(Hexadecimal.bytes)
    return LeaseFacts(address: address, isMetered: vendor.map(LeaseFacts.isMetered(vendorInformation:)) ?? false)
  }

  private static func value(of key: String, in file: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let key = Array("\(key)=".utf8)
    return file.split(separator: UInt8(ascii: "\n")).last { $0.starts(with: key) }?.dropFirst(key.count)
  }

  /// The lease in a message as `dhcp_message_build_json()` of systemd writes it, alone or as the member `Message`.
  private static func lease(json bytes: [UInt8]) -> LeaseFacts? {
    guard let file = try? JSONValue(parsing: bytes) else { return nil }
    let message = file["Message"] ?? file
    func data(_ digits: JSONValue?) -> [UInt8]? { digits?.stringValue.flatMap { Hexadecimal.bytes(of: $0.utf8) } }
    guard let address = data(message["yiaddr"]), address.count == 4 else { return nil }
    var options: [UInt8: [UInt8]] = [:]
    for option in message["options"]?.arrayValue ?? [] {
      guard let code = option["tag"]?.integerValue.flatMap({ UInt8(exactly: $0) }), let bytes = data(option["data"])
      else { continue }
      options[code, default: []] += bytes
    }
    return LeaseFacts(ipv4: address.reduce(0) { $0 << 8 | UInt32($1) }, options: options)
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
