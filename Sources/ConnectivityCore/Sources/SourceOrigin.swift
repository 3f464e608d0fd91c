internal import PathCoding
internal import PathModel
internal import SystemIO

/// What the paths of a thread are made of. Monitors with an equal origin share a thread.
struct SourceOrigin: Hashable, Sendable {
  /// Where the service listens; `nil` where it is not asked.
  var socketPath: String?
  /// Whether that is not the usual place.
  var isSocketNamed = false
  /// Whether the kernel is asked when the service is not there.
  var mayUseKernel: Bool
  /// The destinations that stand for the Internet; `nil` for the configured ones.
  var probes: ProbeAddresses?

  /// The origin of a source; `nil` for one that makes its paths up.
  ///
  /// The service has its own probes: who names others asks the kernel.
  init?(_ source: PathSource, probes: ProbeAddresses?) {
    self.probes = probes
    switch source.kind {
    case .provided: return nil
    case .inProcess: mayUseKernel = true
    case .automatic(let path):
      mayUseKernel = true
      if probes == nil { setSocket(path) }
    case .service(let path):
      mayUseKernel = false
      self.probes = nil
      setSocket(path)
    }
  }

  private mutating func setSocket(_ path: String?) {
    let named = path ?? Environment.value("PATHMONITOR_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
    isSocketNamed = named != nil
    socketPath = named ?? PathMonitorInterface.socketPath
  }
}
