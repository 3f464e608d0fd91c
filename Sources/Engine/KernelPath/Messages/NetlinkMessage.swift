/// One message of a datagram: its header (`struct nlmsghdr`) and its payload. The payload begins with a structure of
/// fixed length and goes on with attributes.
package struct NetlinkMessage: ~Escapable {
  /// The type, `NLMSG_…` or `RTM_…`.
  package let type: UInt16
  /// The flags, `NLM_F_…`.
  package let flags: UInt16
  /// The number of the request this answers; 0 for notifications.
  package let sequence: UInt32
  /// The bytes after the header.
  let payload: NetlinkBytes

  static let headerLength = 16
  /// The length of `struct genlmsghdr`, with which a message of generic netlink goes on.
  static let genericHeaderLength = 4

  /// The first message of these bytes.
  @_lifetime(copy bytes)
  fileprivate init(_ bytes: NetlinkBytes, length: Int) {
    type = bytes.uint16(at: 4)
    flags = bytes.uint16(at: 6)
    sequence = bytes.uint32(at: 8)
    payload = bytes.extracting(Self.headerLength..<length)
  }

  /// The structure of fixed length at the start of the payload.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the payload is shorter.
  @_lifetime(copy self)
  func structure(_ name: String, _ length: Int) throws(NetlinkDecodingError) -> NetlinkBytes {
    try payload.require(length, name)
    return payload.extracting(0..<length)
  }

  /// The attributes after the structure of fixed length.
  @_lifetime(copy self)
  func attributes(of structure: String, after length: Int) -> NetlinkAttributes {
    NetlinkAttributes(payload.dropping(aligned: length), of: structure)
  }

  /// The errno of an `NLMSG_ERROR` or `NLMSG_DONE`; 0 is an acknowledgement.
  package func errorNumber() throws(NetlinkDecodingError) -> Int32 {
    let code = try structure("nlmsgerr", 4).int32(at: 0)
    // The kernel sends -errno. A positive number is no errno, and neither is the minimum, which has no positive
    // counterpart.
    return code <= 0 && code > Int32.min ? -code : 0
  }
}

/// The messages of a datagram, one after the other.
package struct NetlinkMessages: ~Escapable {
  private var rest: NetlinkBytes

  /// The messages from the first one on.
  @_lifetime(copy datagram)
  package init(_ datagram: Span<UInt8>) {
    rest = NetlinkBytes(datagram)
  }

  /// The next message; `nil` at the end of the datagram.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the message overruns the datagram.
  @_lifetime(copy self)
  package mutating func next() throws(NetlinkDecodingError) -> NetlinkMessage? {
    if rest.count == 0 { return nil }
    try rest.require(NetlinkMessage.headerLength, "nlmsghdr")
    let length = Int(rest.uint32(at: 0))
    guard length >= NetlinkMessage.headerLength, length <= rest.count else {
      throw NetlinkDecodingError(
        structure: "netlink message", needed: max(length, NetlinkMessage.headerLength), available: rest.count,
        offset: rest.place)
    }
    let message = NetlinkMessage(rest, length: length)
    rest = rest.dropping(aligned: length)
    return message
  }
}
