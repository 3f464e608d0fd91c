/// The names of the interface `io.pathmonitor.PathMonitor`, as its description in `PathService` spells them. A test
/// compares both.
package enum PathMonitorInterface {
  /// The interface.
  package static let name = "io.pathmonitor.PathMonitor"
  /// Where the service listens unless it is told otherwise.
  package static let socketPath = "/run/pathmonitor/io.pathmonitor.PathMonitor"

  /// The methods.
  package enum Method: String, CaseIterable, Sendable, PathMonitorName {
    /// The path as it is now.
    case getPath = "GetPath"
    /// The path now and whenever it changes.
    case watchPath = "WatchPath"
    /// The path as soon as it is as required.
    case waitForPath = "WaitForPath"
    /// All interfaces but loopback.
    case listInterfaces = "ListInterfaces"
    /// How the verdict came about.
    case explain = "Explain"
    /// The path to one destination.
    case getRoute = "GetRoute"
    /// An administrator's word against what is found.
    case setOverride = "SetOverride"
    /// Takes such words back.
    case clearOverride = "ClearOverride"
    /// How the service itself is doing.
    case getHealth = "GetHealth"
  }

  /// The errors.
  package enum ErrorName: String, CaseIterable, Sendable, PathMonitorName {
    /// A requirement that cannot be read.
    case invalidRequirement = "InvalidRequirement"
    /// The time to wait is over.
    case timedOut = "TimedOut"
    /// The caller may not do this.
    case permissionDenied = "PermissionDenied"
    /// The caller wants more than anyone gets.
    case limitReached = "LimitReached"
    /// There is no interface of the name.
    case noSuchInterface = "NoSuchInterface"
    /// Not an address to which there can be a path.
    case invalidDestination = "InvalidDestination"
    /// The kernel cannot be asked.
    case pathUnknown = "PathUnknown"
  }
}

/// A name of the interface, which calls and replies give together with the interface's own.
package protocol PathMonitorName: RawRepresentable<String> {}

extension PathMonitorName {
  /// The name with its interface, as calls and replies give it.
  package var fullName: String { "\(PathMonitorInterface.name).\(rawValue)" }

  /// The name in a call or reply; `nil` for another interface's or an unknown one.
  package init?(fullName: String) {
    let prefix = "\(PathMonitorInterface.name)."
    guard fullName.hasPrefix(prefix) else { return nil }
    self.init(rawValue: String(fullName.dropFirst(prefix.count)))
  }
}
