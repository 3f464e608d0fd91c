internal import Glibc
internal import PathDecisions
internal import PathModel
internal import SystemIO

/// The socket for notifications. Each is a hint to evaluate again; those about links and addresses also update these.
final class EventSocket {
  /// A multicast group, and its name for a note when the kernel refuses it.
  private struct Group {
    var number: UInt32
    var name: String
  }

  private static let groups = [
    Group(number: 1, name: "links"),  // RTNLGRP_LINK
    Group(number: 5, name: "IPv4 addresses"),  // RTNLGRP_IPV4_IFADDR
    Group(number: 9, name: "IPv6 addresses"),  // RTNLGRP_IPV6_IFADDR
    Group(number: 7, name: "IPv4 routes"),  // RTNLGRP_IPV4_ROUTE
    Group(number: 11, name: "IPv6 routes"),  // RTNLGRP_IPV6_ROUTE
    Group(number: 8, name: "IPv4 rules"),  // RTNLGRP_IPV4_RULE
    Group(number: 19, name: "IPv6 rules"),  // RTNLGRP_IPV6_RULE
    Group(number: 32, name: "next-hop objects"),  // RTNLGRP_NEXTHOP, Linux 5.3
    Group(number: 24, name: "IPv4 settings"),  // RTNLGRP_IPV4_NETCONF
    Group(number: 25, name: "IPv6 settings"),  // RTNLGRP_IPV6_NETCONF
  ]

  private let socket: NetlinkSocket
  private let buffer = DatagramBuffer()
  private let probes: ProbeAddresses
  /// RTNLGRP_NEIGH, which is joined while there are routers to follow.
  private static let neighbours = Group(number: 3, name: "neighbours")
  private(set) var routers = RouterWatch()
  /// Whether the kernel filters the messages. Without a filter there would be too many messages about neighbours.
  private var isFiltered = false
  /// Whether the kernel has dropped messages since the receive buffer was last empty. It says so once (ENOBUFS), and
  /// drops all further messages without a word until the buffer has been emptied (`NETLINK_S_CONGESTED`).
  private var isCongested = false
  /// The refusals of the kernel, in words.
  private(set) var notes: [String] = []

  /// The descriptor that a loop watches for reading.
  var descriptor: Int32 { socket.descriptor }

  /// Joins the groups after the filter for the probes is in place.
  ///
  /// - Parameter receiveBuffer: The size to request; see ``NetlinkSocket``. A small buffer overruns in tests.
  init(probes: ProbeAddresses, receiveBuffer: Int32) throws(KernelPathError) {
    socket = try NetlinkSocket(receiveBuffer: receiveBuffer)
    self.probes = probes
    do throws(SystemError) {
      try attachFilter()
      isFiltered = true
    } catch {
      notes.append("route messages are not filtered, so a large routing table costs time: \(error.reason)")
    }
    for group in Self.groups {
      guard let refusal = socket.join(group.number) else { continue }
      notes.append("changes of \(group.name) are not announced: \(refusal)")
    }
  }

  private func attachFilter() throws(SystemError) {
    let program = CoverFilter.program(for: probes, routers: routers)
    try NetlinkOptions.attachFilter(program.map(\.encoded), to: socket.descriptor)
  }

  /// Follows the reachability of these routers, and of no others.
  ///
  /// - Returns: Whether the routers are new, so that a change may have been missed before.
  func follow(_ routers: RouterWatch) -> Bool {
    guard isFiltered, routers != self.routers else { return false }
    let former = self.routers
    self.routers = routers
    do throws(SystemError) {
      try attachFilter()
    } catch {
      // The former filter is still in place, and at worst passes fewer messages than the new one.
      self.routers = former
      return false
    }
    if former.isEmpty, socket.join(Self.neighbours.number) != nil { return false }
    if routers.isEmpty { socket.leave(Self.neighbours.number) }
    return !routers.isEmpty
  }

  /// Reads the waiting messages and passes each to `body`, in order. After the end, the rest waits for the next call.
  ///
  /// - Returns: The number of messages, and whether some were lost: the kernel dropped them, or one was cut or
  ///   malformed. The known links and addresses may then be wrong. Messages count as lost in each call until the
  ///   receive buffer has been emptied.
  func drain(
    until end: MonotonicInstant, _ body: (NetlinkMessage) throws(NetlinkDecodingError) -> Void
  ) throws(KernelPathError) -> (messages: Int, overran: Bool) {
    var result = (messages: 0, overran: false)
    // Mostly one or two messages wait.
    var limit = 4
    while true {
      let received: Int
      do throws(SystemError) {
        received = try buffer.receive(from: socket.descriptor, limit: limit)
      } catch {
        guard error.errorNumber == ENOBUFS else { throw KernelPathError(error) }
        isCongested = true
        result.overran = true
        if end < .now { return result }
        continue
      }
      for slot in 0..<received { read(slot, &result, body) }
      if isCongested { result.overran = true }
      if received < limit {
        isCongested = false
        return result
      }
      if end < .now { return result }
      limit = DatagramBuffer.slotCount
    }
  }

  private func read(
    _ slot: Int, _ result: inout (messages: Int, overran: Bool),
    _ body: (NetlinkMessage) throws(NetlinkDecodingError) -> Void
  ) {
    do throws(NetlinkDecodingError) {
      let envelope = buffer.envelope(slot)
      // Any process may send to our port: accept messages of the kernel only.
      guard envelope.senderPort == 0 else { return }
      if envelope.isTruncated { result.overran = true }
      let buffer = buffer
      var messages = NetlinkMessages(buffer.datagram(slot))
      while let message = try messages.next() {
        result.messages += 1
        try body(message)
      }
    } catch {
      // The message does not match its type: read everything anew rather than trust the rest.
      result.overran = true
    }
  }
}
