internal import Glibc

/// The meaning of an errno of connect(2), send(2) or recv(2).
package enum ErrnoMeaning: Hashable, Sendable, CaseIterable {
  /// The kernel has no route, or its device or address is gone.
  case noPath
  /// No answer to the neighbour or router request: the host is absent, or the network below it is.
  case unreachableHost
  /// The host answered that nobody listens.
  case refused
  /// The connection broke off.
  case brokenOff
  /// No answer came in time.
  case timedOut
  /// This machine ran out of descriptors, ports or memory.
  case exhausted
  /// The kernel, a packet filter or a sandbox does not allow it.
  case notPermitted
  /// The work was cancelled.
  case cancelled
  /// The errno is none of a connection.
  case other

  /// The meaning of an errno. Source: connect(2), send(2), recv(2), ip(7), tcp(7).
  package init(_ errno: Int32) {
    switch errno {
    case ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, ENONET: self = .noPath
    case EHOSTUNREACH, EHOSTDOWN: self = .unreachableHost
    case ECONNREFUSED: self = .refused
    case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN, ENETRESET, ESHUTDOWN: self = .brokenOff
    case ETIMEDOUT: self = .timedOut
    case EMFILE, ENFILE, ENOBUFS, ENOMEM, EAGAIN: self = .exhausted
    case EACCES, EPERM: self = .notPermitted
    case ECANCELED: self = .cancelled
    default: self = .other
    }
  }
}

extension FailureTraits {
  /// The traits of an errno, such as `IOError.errnoCode` of SwiftNIO.
  ///
  /// The failures of connect(2) are unsent. A broken connection and a timeout may have reached the server.
  public init(errno: Int32) {
    switch ErrnoMeaning(errno) {
    case .noPath: self.init(.offline, isUnsent: true)
    case .unreachableHost, .refused, .exhausted: self.init(.transient, isUnsent: true)
    case .brokenOff: self.init(.transient)
    case .timedOut: self.init(.timedOut)
    case .notPermitted: self.init(.permanent, isUnsent: true)
    case .cancelled: self.init(.cancelled)
    case .other: self.init(.unknown)
    }
  }
}
