internal import PathConfiguration
internal import PathFollowing
internal import PathModel

extension FollowingPolicy {
  /// The policy for a monitor; `nil` for a source that makes its paths up. Monitors with equal policies share a thread.
  ///
  /// The service has its own probes: the kernel is asked for a path to others.
  init?(_ source: PathSource, probes: ProbeAddresses?) {
    switch source.kind {
    case .provided: return nil
    case .automatic(let path) where probes == nil: self.init(.serviceOrKernel, socket: ServiceSocket.path(path))
    case .automatic, .inProcess: self.init(.kernel, socket: nil, probes: probes)
    case .service(let path): self.init(.service, socket: ServiceSocket.path(path))
    }
  }
}
