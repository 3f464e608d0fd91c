/// The names of the interface `io.pathmonitor.PathMonitor`, as its description in `PathService` spells them. A test
/// compares both.
package enum PathMonitorInterface {
  /// The interface.
  package static let name = "io.pathmonitor.PathMonitor"
  /// The socket on which the service listens by default.
  package static let socketPath = "/run/pathmonitor/io.pathmonitor.PathMonitor"

  /// The methods.
  package enum Method: String, CaseIterable, Sendable, PathMonitorName {
    /// The current path.
    case getPath = "GetPath"
    /// The path now and whenever it changes.
    case watchPath = "WatchPath"
    /// The path as soon as it meets a requirement.
    case waitForPath = "WaitForPath"
    /// All interfaces but loopback.
    case listInterfaces = "ListInterfaces"
    /// The steps that led to the verdict.
    case explain = "Explain"
    /// The path to one destination.
    case getRoute = "GetRoute"
    /// Overrides a detected value.
    case setOverride = "SetOverride"
    /// Removes overrides.
    case clearOverride = "ClearOverride"
    /// The health of the service itself.
    case getHealth = "GetHealth"
    /// Reports whether the Internet answers.
    case reportValidation = "ReportValidation"
    /// Makes the validator ask again.
    case renewValidation = "RenewValidation"
  }

  /// The errors.
  package enum ErrorName: String, CaseIterable, Sendable, PathMonitorName {
    /// The requirement cannot be parsed.
    case invalidRequirement = "InvalidRequirement"
    /// The time limit has passed.
    case timedOut = "TimedOut"
    /// The caller may not do this.
    case permissionDenied = "PermissionDenied"
    /// The caller exceeds a limit.
    case limitReached = "LimitReached"
    /// No interface has the name.
    case noSuchInterface = "NoSuchInterface"
    /// The destination is not an address to which a path can lead.
    case invalidDestination = "InvalidDestination"
    /// The kernel cannot be asked.
    case pathUnknown = "PathUnknown"
    /// The report is about another path than the present one.
    case anotherPath = "AnotherPath"
  }
}

/// A name in the interface. Calls and replies prefix it with the name of the interface.
package protocol PathMonitorName: RawRepresentable<String> {}

extension PathMonitorName {
  /// The name with its interface, as calls and replies give it.
  package var fullName: String { "\(PathMonitorInterface.name).\(rawValue)" }

  /// The name in a call or reply; `nil` for another interface's or an unknown one.
  package init?(fullName: String) {
    let bytes = fullName.utf8
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")),
      bytes[..<dot].elementsEqual(PathMonitorInterface.name.utf8)
    else { return nil }
    self.init(rawValue: String(fullName[bytes.index(after: dot)...]))
  }
}
