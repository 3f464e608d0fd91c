internal import PathFollowing
internal import PathModel
internal import SystemIO

extension FollowingPolicy {
  /// The policy for a monitor; `nil` for a source that makes its paths up. Monitors with equal policies share a thread.
  ///
  /// The service has its own probes: the kernel is asked for a path to others.
  init?(_ source: PathSource, probes: ProbeAddresses?) {
    switch source.kind {
    case .provided: return nil
    case .automatic(let path) where probes == nil: self.init(.serviceOrKernel, socket: Self.socket(path))
    case .automatic, .inProcess: self.init(.kernel, socket: nil, probes: probes)
    case .service(let path): self.init(.service, socket: Self.socket(path))
    }
  }

  private static func socket(_ path: String?) -> String? {
    path ?? Environment.value("PATHMONITOR_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
  }
}
