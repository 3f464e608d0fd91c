import Glibc
import PathConfiguration
import PathDecisions
import PathModel

/// libFuzzer's entry for what people and files give us as text: addresses, time spans, resolver configurations,
/// our own configuration, and requirements.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPathModel(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  checkAddress(text)
  checkTimeSpan(text)
  checkNameServers(text)
  checkConfiguration(text)
  checkLeases(text)
  checkRequirement(text)
  return 0
}

/// The C library is the judge of what an address is, and reads what we print.
private func checkAddress(_ text: String) {
  guard !text.utf8.contains(0) else { return }
  let address = IPAddress(unscoped: text)
  guard address == referenceAddress(text) else {
    fatalError(
      "'\(text)' is \(String(describing: address)), by inet_pton \(String(describing: referenceAddress(text)))")
  }
  guard let address else { return }
  guard referenceAddress(address.description) == address, IPAddress(address.description) == address else {
    fatalError("'\(address)' does not read back")
  }
  guard address.matches(address, prefixLength: address.family.bitWidth) else {
    fatalError("'\(address)' is not itself")
  }
}

/// The address by inet_pton(3).
private func referenceAddress(_ text: String) -> IPAddress? {
  var ipv4: UInt32 = 0
  if unsafe inet_pton(AF_INET, text, &ipv4) == 1 { return IPAddress(ipv4: UInt32(bigEndian: ipv4)) }
  var ipv6: (UInt64, UInt64) = (0, 0)
  guard unsafe inet_pton(AF_INET6, text, &ipv6) == 1 else { return nil }
  return IPAddress(ipv6: UInt64(bigEndian: ipv6.0), UInt64(bigEndian: ipv6.1))
}

/// A span is never negative nor longer than the limit, and is made of nothing but numbers, units and spaces.
private func checkTimeSpan(_ text: String) {
  guard let span = try? TimeSpan.parse(text) else { return }
  guard span >= .zero, span <= TimeSpan.longest else { fatalError("'\(text)' is \(span)") }
  let allowed = Set("0123456789. abcdefghijklmnopqrstuvwxyz\u{b5}\u{3bc}".unicodeScalars)
  guard text.unicodeScalars.allSatisfy(allowed.contains) else { fatalError("'\(text)' is no time span, but \(span)") }
}

/// A server is one word, and there is at most one in each line.
private func checkNameServers(_ text: String) {
  let servers = ResolverFacts.nameServers(in: text)
  let separators = Set(" \t\r\n".utf8)
  guard servers.allSatisfy({ !$0.isEmpty && separators.isDisjoint(with: $0.utf8) }) else {
    fatalError("these are no words: \(servers)")
  }
  guard servers.count <= text.utf8.count(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) + 1 else {
    fatalError("more servers than lines: \(servers)")
  }
  _ = ResolverFacts.areStubs(servers)
}

/// A configuration file keeps to its limits and means the same with comments and blanks; a mistake is in one of its
/// lines.
private func checkConfiguration(_ text: String) {
  do {
    let file = try ConfigurationFile(parsing: text, path: "fuzz.conf")
    var merged = MergedConfiguration()
    try merged.add(file)
    for family in IPAddress.Family.allCases {
      let count = merged.monitor.probes?[family].count ?? 0
      guard count <= ProbeAddresses.limit else { fatalError("'\(text)' has \(count) probes of a family") }
    }
    let lines = text.unicodeScalars.split(separator: "\n").map { String($0) }
    let decorated = "# first\n\n \(lines.joined(separator: "\t\r\n ; between\n\n  "))\n;"
    guard let again = try? ConfigurationFile(parsing: decorated, path: "fuzz.conf"),
      again.settings.map({ [$0.key.name, $0.value] }) == file.settings.map({ [$0.key.name, $0.value] }),
      again.rule?.match == file.rule?.match, again.rule?.ruling.words.count == file.rule?.ruling.words.count
    else { fatalError("'\(decorated)' is not as '\(text)'") }
    checkRule(file.rule, text)
  } catch {
    let lines = text.unicodeScalars.count { $0 == "\n" } + 1
    guard (1...lines).contains(error.line) else { fatalError("\(error) lies outside of the text") }
    guard error.description.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      fatalError("'\(error)' garbles a terminal")
    }
  }
}

/// A rule says something, and can be asked about any interface.
private func checkRule(_ rule: InterfaceRule?, _ text: String) {
  guard let rule else { return }
  guard rule.ruling != .silent, rule.match != InterfaceMatch() else { fatalError("'\(text)' says nothing") }
  let traits = InterfaceTraits(
    index: 2, name: String(text.prefix(15)), type: .wifi, driver: "x",
    networkName: NetworkName(Array(text.utf8.prefix(32))),
    hardwareAddress: "02:00:00:00:00:01", gateways: [IPAddress(ipv4: 0xc000_0201)])
  _ = InterfaceRules([rule]).ruling(on: traits)
}

/// Leases are of interfaces with names, and have an IPv4 address.
private func checkLeases(_ text: String) {
  let all = LeaseFormat.all.flatMap { format in
    LeaseFormat.all.map { format.parse(Array(text.utf8), $0.exampleName) }
  }.flatMap { leases in
    leases.byIndex.values.flatMap(\.self) + leases.byName.values.flatMap(\.self)
  }
  guard all.allSatisfy({ $0.address.family == .ipv4 }) else { fatalError("'\(text)' leases \(all)") }
  _ = DhcpcdLease.interfaces(ofFile: text)
}

/// A requirement reads back from its description, and is met exactly when the restricted path is satisfied.
private func checkRequirement(_ text: String) {
  let requirement: PathRequirement
  do {
    requirement = try PathRequirement(text)
  } catch {
    guard (0...text.utf8.count).contains(error.position) else { fatalError("\(error) lies outside of the text") }
    guard error.description.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      fatalError("'\(error)' garbles a terminal")
    }
    return
  }
  guard let again = try? PathRequirement(requirement.description), again == requirement else {
    fatalError("'\(text)' became '\(requirement)', which does not read back")
  }
  for status in NetworkPath.Status.allCases {
    var path = NetworkPath(status: status, knowledge: .known)
    path.interfaces = [
      NetworkInterface(
        name: "eth0", index: 2, type: .wiredEthernet,
        addresses: ["192.0.2.2/24"].compactMap { NetworkInterface.Address($0) }),
      NetworkInterface(name: "wlan0", index: 3, type: .wifi, isExpensive: true),
    ]
    let narrowed = requirement.applied(to: path)
    // The word offline never restricts a path.
    if requirement.description.split(separator: ",").contains("offline") { continue }
    guard (requirement.verdict(on: path) == .met) == (narrowed.status == .satisfied) else {
      fatalError("'\(requirement)' is \(requirement.verdict(on: path)) on \(path), but narrowed to \(narrowed)")
    }
  }
}
