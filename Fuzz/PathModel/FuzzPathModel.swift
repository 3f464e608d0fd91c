import Glibc

/// libFuzzer's entry for what people and files give us as text: addresses, time spans and resolver configurations.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPathModel(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  checkAddress(text)
  checkTimeSpan(text)
  checkNameServers(text)
  return 0
}

/// The C library is the judge of what an address is, and reads what we print.
private func checkAddress(_ text: String) {
  guard !text.utf8.contains(0) else { return }
  let address = IPAddress(text)
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
