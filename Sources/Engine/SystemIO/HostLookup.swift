internal import Glibc

/// Host names, by the system's own resolution (getaddrinfo(3)).
package enum HostLookup {
  /// The reason why a name has no address.
  package struct LookupError: Error, Hashable, Sendable {
    /// Whether the name does not exist; `false` when the lookup itself failed.
    package var isUnknownName: Bool
    /// Whether this process could not ask, for example for want of memory or descriptors. That says nothing of the
    /// host.
    package var isOurs: Bool
    /// The reason in words of the C library.
    package var reason: String
  }

  /// The numeric addresses of a host, in the order in which a program should try them (RFC 6724). The lookup may wait
  /// for name servers.
  package static func addresses(of host: String) throws(LookupError) -> [String] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    errno = 0
    let code = unsafe getaddrinfo(host, nil, &hints, &first)
    guard code == 0 else { throw LookupError(code, errorNumber: errno) }
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

  /// Whether the kernel has a route to any of the addresses. No packet is sent: a datagram socket is connected.
  ///
  /// - Parameter addresses: Numeric addresses, as ``addresses(of:)`` returns them.
  package static func isRouted(toAnyOf addresses: [String]) throws(LookupError) -> Bool {
    for address in addresses {
      var hints = unsafe addrinfo()
      unsafe hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
      unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
      var entry: UnsafeMutablePointer<addrinfo>?
      // Nothing is sent to the port, so its number does not matter.
      errno = 0
      let code = unsafe getaddrinfo(address, "9", &hints, &entry)
      guard code == 0, let found = unsafe entry else { throw LookupError(code, errorNumber: errno) }
      defer { unsafe freeaddrinfo(found) }
      let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      let descriptor = unsafe socket(found.pointee.ai_family, kind, 0)
      guard descriptor >= 0 else {
        let error = errno
        // A kernel without the address family has no route to the address.
        if error == EAFNOSUPPORT { continue }
        throw LookupError(isUnknownName: false, isOurs: true, reason: unsafe String(cString: strerror(error)))
      }
      defer { close(descriptor) }
      if unsafe connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 { return true }
    }
    return false
  }
}

extension HostLookup.LookupError {
  /// An error from the results of getaddrinfo(3).
  ///
  /// Without a descriptor for its files and sockets, getaddrinfo(3) reports an unknown name (glibc 2.36). Only `errno`
  /// shows the cause.
  fileprivate init(_ code: Int32, errorNumber: Int32) {
    let isOurs = code == EAI_SYSTEM || code == EAI_MEMORY || [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errorNumber)
    self.init(
      isUnknownName: code == EAI_NONAME && !isOurs, isOurs: isOurs,
      reason: unsafe isOurs && errorNumber != 0
        ? String(cString: strerror(errorNumber)) : gai_strerror(code).map { unsafe String(cString: $0) } ?? "")
  }
}
