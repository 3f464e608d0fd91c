package import PathModel

/// A TCP connection of this network namespace, as the kernel lists it.
package struct ConnectionFacts: Hashable, Sendable {
  /// One end of a connection.
  package struct Endpoint: Hashable, Sendable {
    /// The address, without a scope. An IPv4 address that a socket of IPv6 uses is an IPv4 address here.
    package var address: IPAddress
    /// The port.
    package var port: UInt16

    /// An end.
    package init(_ address: IPAddress, _ port: UInt16) { (self.address, self.port) = (address, port) }
  }

  /// A state of TCP; the raw values are the kernel's.
  package enum State: UInt8, Hashable, Sendable, CaseIterable {
    case established = 1
    case synSent = 2
    case finWait1 = 4
    case finWait2 = 5
    case closeWait = 8
    case lastAck = 9
    case closing = 11

    /// The states as the kernel asks for them: a bit for each. Sockets that listen or are not connected, connections
    /// that no program has accepted, and those that only wait for late packets (TIME-WAIT) are none of ours.
    package static let mask = allCases.reduce(UInt32(0)) { $0 | 1 << UInt32($1.rawValue) }

    /// The name, as `ss` prints it in lower case.
    package var words: String {
      switch self {
      case .established: "established"
      case .synSent: "syn-sent"
      case .finWait1: "fin-wait-1"
      case .finWait2: "fin-wait-2"
      case .closeWait: "close-wait"
      case .lastAck: "last-ack"
      case .closing: "closing"
      }
    }
  }

  /// The family of the socket, which differs from that of the addresses where IPv6 sockets use IPv4.
  package var socketFamily: IPAddress.Family
  /// The state.
  package var state: State
  /// The end on this machine.
  package var local: Endpoint
  /// The other end.
  package var remote: Endpoint
  /// The interface that the socket is bound to; 0 for none. Source: `idiag_if`.
  package var interfaceIndex: Int32
  /// The number by which the kernel knows this socket from another one with the same ends. Source: `idiag_cookie`.
  package var cookie: UInt64
  /// The user that made the socket. Source: `idiag_uid`.
  package var user: UInt32
  /// The number of the socket among the files; 0 if no process has it open any more. Source: `idiag_inode`.
  package var inode: UInt32
  /// The number of bytes that the program has written and the other end has not confirmed. Source: `idiag_wqueue`.
  package var unacknowledgedBytes: UInt32
  /// The time since data came last, in milliseconds; since the beginning if none came. `nil` where the kernel does not
  /// say, and before the connection is made. Source: `tcpi_last_data_recv`.
  package var silence: UInt32?
  /// Whether the socket may use addresses that the machine does not have (`IP_TRANSPARENT`, Linux 5.10).
  package var isTransparent: Bool

  /// A connection; everything that is left out is absent.
  package init(
    socketFamily: IPAddress.Family = .ipv4, state: State = .established, local: Endpoint, remote: Endpoint,
    interfaceIndex: Int32 = 0, cookie: UInt64 = 0, user: UInt32 = 0, inode: UInt32 = 0,
    unacknowledgedBytes: UInt32 = 0, silence: UInt32? = nil, isTransparent: Bool = false
  ) {
    (self.socketFamily, self.state, self.local, self.remote) = (socketFamily, state, local, remote)
    (self.interfaceIndex, self.cookie, self.user, self.inode) = (interfaceIndex, cookie, user, inode)
    (self.unacknowledgedBytes, self.silence, self.isTransparent) = (unacknowledgedBytes, silence, isTransparent)
  }
}

extension ConnectionFacts.Endpoint: CustomStringConvertible {
  /// The address and the port, such as `192.0.2.7:22` or `[2001:db8::7]:22`.
  package var description: String {
    address.family == .ipv4 ? "\(address):\(port)" : "[\(address)]:\(port)"
  }
}
