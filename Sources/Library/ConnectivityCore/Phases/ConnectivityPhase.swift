public import PathModel

/// The state of the path as a program shows it, for example by a page for being offline.
public enum ConnectivityPhase: Hashable, Sendable {
  /// Nothing is known yet.
  case checking
  /// There is a path.
  case online
  /// There is no path, for the reason.
  case offline(UnsatisfiedReason)
  /// There is a path, but something will not work.
  case degraded(Degradation)

  /// The defect of a degraded path.
  public enum Degradation: Hashable, Sendable {
    /// No name server is configured.
    case noNameServer
    /// There was a path, but its source is lost, and its present state is not known.
    case notKnown
  }

  /// The phase of a path.
  public init(_ path: NetworkPath) {
    switch (path.knowledge, path.status) {
    case (.unknown, _): self = .checking
    case (_, .unsatisfied): self = .offline(path.unsatisfiedReason ?? .noRoute)
    case (.stale, _): self = .degraded(.notKnown)
    case (.known, .requiresConnection): self = .checking
    case (.known, .satisfied): self = path.supportsDNS ? .online : .degraded(.noNameServer)
    }
  }

  /// Whether both phases are the same, apart from their reasons.
  func isSameKind(as other: ConnectivityPhase) -> Bool {
    switch (self, other) {
    case (.checking, .checking), (.online, .online), (.offline, .offline), (.degraded, .degraded): true
    default: false
    }
  }
}

extension ConnectivityPhase: CustomStringConvertible {
  /// The phase in words, without a full stop, such as `offline: no network interface is up`.
  public var description: String {
    switch self {
    case .checking: "checking"
    case .online: "online"
    case .offline(let reason): "offline: \(reason)"
    case .degraded(let degradation): "degraded: \(degradation)"
    }
  }
}

extension ConnectivityPhase.Degradation: CustomStringConvertible {
  /// The defect in words, without a full stop.
  public var description: String {
    switch self {
    case .noNameServer: "no name server is configured"
    case .notKnown: "whether there still is a path is not known"
    }
  }
}

/// The minimum time for which each phase is shown, so that nothing flickers.
public struct PhaseTimes: Hashable, Sendable {
  /// For ``ConnectivityPhase/checking``.
  public var checking: Duration
  /// For ``ConnectivityPhase/online``.
  public var online: Duration
  /// For ``ConnectivityPhase/offline(_:)``.
  public var offline: Duration
  /// For ``ConnectivityPhase/degraded(_:)``.
  public var degraded: Duration

  /// Times for each phase.
  public init(checking: Duration, online: Duration, offline: Duration, degraded: Duration) {
    self.checking = checking
    self.online = online
    self.offline = offline
    self.degraded = degraded
  }

  /// Checking gives way at once; the others stay for a second.
  public static let standard = PhaseTimes(
    checking: .zero, online: .seconds(1), offline: .seconds(1), degraded: .seconds(1))

  /// Every phase gives way at once.
  public static let immediate = PhaseTimes(checking: .zero, online: .zero, offline: .zero, degraded: .zero)

  /// The time for a phase.
  func minimum(of phase: ConnectivityPhase) -> Duration {
    switch phase {
    case .checking: checking
    case .online: online
    case .offline: offline
    case .degraded: degraded
    }
  }
}
