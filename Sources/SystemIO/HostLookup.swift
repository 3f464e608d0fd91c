internal import Glibc

/// Host names, by the system's own resolution (getaddrinfo(3)).
package enum HostLookup {
  /// Why a name has no address.
  package struct LookupError: Error, Hashable, Sendable {
    /// Whether the name does not exist, as opposed to the question having failed.
    package var isUnknownName: Bool
    /// The C library's words.
    package var reason: String
  }

  /// The numeric addresses of a host, in the order in which a program should try them (RFC 6724). It may ask
  /// name servers, and wait for them.
  package static func addresses(of host: String) throws(LookupError) -> [String] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host, nil, &hints, &first)
    guard code == 0 else {
      throw LookupError(
        isUnknownName: code == EAI_NONAME, reason: unsafe gai_strerror(code).map { unsafe String(cString: $0) } ?? "")
    }
    defer { unsafe freeaddrinfo(first) }
    var addresses: [String] = []
    var next = unsafe first
    while let entry = unsafe next {
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let length = socklen_t(text.count)
      let failed = unsafe getnameinfo(
        entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, length, nil, 0, NI_NUMERICHOST)
      if failed == 0 {
        addresses.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
      }
      unsafe next = entry.pointee.ai_next
    }
    return addresses
  }
}
