internal import Glibc

/// The meaning of an error of a connection or a request, without knowledge of the path: the one table for errnos, codes
/// of `URLError` and codes of Foundation's files.
///
/// Retries, the reasons of failed requests and the categories of errors follow from it.
package enum ErrorMeaning: Hashable, Sendable, CaseIterable {
  /// The system says that there is no network, or that it may not be used.
  case offline
  /// There is no route to the address, or the device or the address of this machine is gone. The rest of the network
  /// may be there.
  case noRoute
  /// No answer to the neighbour or router request: the host is absent, or the network below it is.
  case unreachable
  /// The name of the host could not be resolved.
  case noName
  /// The host has answered that nobody listens.
  case refused
  /// The connection broke off.
  case brokenOff
  /// No answer came in time.
  case timedOut
  /// This machine ran out of descriptors, so that no connection was begun.
  case exhausted
  /// Something that may be gone soon, of which nothing else is known.
  case passing
  /// The kernel, a packet filter or a sandbox does not allow it.
  case notPermitted
  /// No secure connection can be made.
  case insecure
  /// The server wants to know who asks.
  case authenticationRequired
  /// The URL is malformed.
  case invalidRequest
  /// The scheme is not supported. libcurl also says this of an answer that is no HTTP.
  case unsupportedScheme
  /// The answer cannot be understood.
  case invalidAnswer
  /// A file cannot be read or written.
  case unusableFile
  /// The work was cancelled.
  case cancelled

  /// The meaning of an errno; `nil` for one that no connection has. Source: connect(2), send(2), recv(2), ip(7),
  /// tcp(7).
  package init?(errno: Int32) {
    switch errno {
    case ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, ENONET: self = .noRoute
    case EHOSTUNREACH, EHOSTDOWN: self = .unreachable
    case ECONNREFUSED: self = .refused
    case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN, ENETRESET, ESHUTDOWN: self = .brokenOff
    case ETIMEDOUT: self = .timedOut
    case EMFILE, ENFILE: self = .exhausted
    // recv(2) has these, too: the request may have been sent.
    case EAGAIN, EBUSY, EINTR, ENOBUFS, ENOMEM: self = .passing
    case EACCES, EPERM: self = .notPermitted
    case ECANCELED: self = .cancelled
    default: return nil
    }
  }

  /// The meaning of a code of `URLError`; `nil` for one that says nothing. Numbers, because `URLError` on Linux does
  /// not name all of them.
  package init?(urlErrorCode code: Int) {
    switch code {
    // On Linux: no route, a broken transfer, a refused certificate and much else.
    case -1: self = .passing
    case -999: self = .cancelled
    case -1000: self = .invalidRequest
    case -1001: self = .timedOut
    case -1002: self = .unsupportedScheme
    // A host that is not found, and a name server that fails.
    case -1003, -1006: self = .noName
    case -1004: self = .refused
    // -1011 is "bad server response": on Linux the server has closed the connection without an answer.
    case -1005, -1011: self = .brokenOff
    // The resource is empty although it should not be; the body of the request was used up; the decoding of a download
    // stopped in the middle.
    case -1014, -1021, -3006: self = .brokenOff
    // Redirections in a circle or to nowhere, an answer that is too long, a download that cannot be decoded.
    case -1007, -1010, -1103, -3007: self = .invalidAnswer
    // Encodings and formats that are not as announced.
    case -1015, -1016, -1017: self = .invalidAnswer
    // The resource is not available now; the cache alone was allowed and has nothing; a background session has lost its
    // process.
    case -1008, -2000, -997: self = .passing
    // No network, no roaming, a telephone call in its place, no data on this network.
    case -1009, -1018, -1019, -1020: self = .offline
    // The user has cancelled the authentication.
    case -1012: self = .cancelled
    // The user, or a certificate of the user, must authenticate.
    case -1013, -1206: self = .authenticationRequired
    // The program may not go without TLS; the handshake; the certificates.
    case -1022, -1200, -1201, -1202, -1203, -1204, -1205: self = .insecure
    // The file does not exist, is a folder, may not be read, or is outside of the permitted area.
    case -1100, -1101, -1102, -1104: self = .unusableFile
    // The file of a download.
    case -3000, -3001, -3002, -3003, -3004, -3005: self = .unusableFile
    default: return nil
    }
  }

  /// The meaning of a code of Foundation's Cocoa domain, which has a range of codes for each of its parts; `nil` for
  /// one that says nothing.
  package init?(cocoaCode code: Int) {
    switch code {
    // NSFileErrorMinimum...NSFileErrorMaximum
    case 0...1_023: self = .unusableFile
    // NSUserCancelledError
    case 3_072: self = .cancelled
    // NSPropertyListErrorMinimum...NSPropertyListErrorMaximum, of JSON too, and those of reading coders
    case 3_840...4_095, 4_864...4_865: self = .invalidAnswer
    default: return nil
    }
  }

  /// The meaning of an error with this domain and code, as an `NSError` has them; `nil` for another domain and for a
  /// code that says nothing.
  package init?(domain: String, code: Int) {
    switch domain {
    case "NSPOSIXErrorDomain": self.init(errno: Int32(truncatingIfNeeded: code))
    case "NSURLErrorDomain": self.init(urlErrorCode: code)
    case "NSCocoaErrorDomain": self.init(cocoaCode: code)
    default: return nil
    }
  }
}
