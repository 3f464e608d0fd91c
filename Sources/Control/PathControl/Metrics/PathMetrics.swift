package import PathModel

/// The metrics of the path and of the service, made of their answers. Pure.
///
/// An unknown value has no sample: a path that is not known is neither satisfied nor unsatisfied, and a service that
/// does not answer says nothing about the network.
package struct PathMetrics: Hashable, Sendable {
  /// The answers of the service.
  package struct ServiceAnswer: Hashable, Sendable {
    /// The path as it is now.
    package var path: NetworkPath
    /// The counters of the service by their names in `GetHealth`.
    package var health: [String: Int]
    /// The totals since the start of the service; `nil` from a service of an older version.
    package var totals: PathTotals?
    /// The number of mistakes in the configuration.
    package var configurationProblems = 0
    /// The version of the service; `nil` when it does not say.
    package var version: String?
  }

  /// The totals that the recorder of the history keeps.
  package enum RecordedTotals: Hashable, Sendable {
    /// There is no history.
    case off
    /// There is one, and it cannot be read now.
    case unreadable
    /// The totals since the history began.
    case totals(PathTotals)
    /// The totals up to the moment when the recorder stopped.
    case stopped(PathTotals)
  }

  /// The answers of the service; `nil` when it does not answer.
  package var service: ServiceAnswer?
  /// The totals of the recorder.
  package var recorded = RecordedTotals.off
  /// The connections that pathmonitor-connections has ended; `nil` while it does not run.
  package var endedConnections: Int?

  /// All families, also those without a sample now.
  package var families: [MetricFamily] { stateFamilies + totalFamilies + serviceFamilies }

  /// The totals of the counters. Those of the service start anew with it. If there is a history, its totals are used
  /// even after the recorder has stopped: sums that change between the two would look like restarts.
  private var totals: PathTotals? {
    switch recorded {
    case .off: service?.totals
    case .unreadable: nil
    case .totals(let totals), .stopped(let totals): totals
    }
  }

  /// Whether the history has the present, too; `nil` where there is none.
  private var isRecording: Bool? {
    switch recorded {
    case .off: nil
    case .unreadable, .stopped: false
    case .totals: true
    }
  }

  // MARK: The path

  /// The path, if it is known; only then it says anything about the network.
  private var path: NetworkPath? {
    guard let path = service?.path, path.knowledge == .known else { return nil }
    return path.escaped
  }

  private var stateFamilies: [MetricFamily] {
    [
      Self.gauge("up", "Whether the service of PathMonitor answers.", .flag(service != nil)),
      Self.gauge(
        "path_known", "Whether the path is known: the service can ask the kernel.",
        service.map { .flag($0.path.knowledge == .known) }),
      Self.gauge("path_satisfied", "Whether there is a usable route.", path.map { .flag($0.status == .satisfied) }),
      MetricFamily(
        "pathmonitor_path", .info, help: "The interface that carries the traffic, or why there is no path.",
        samples: path.map { [MetricSample(.integer(1), labels: Self.labels(of: $0))] } ?? []),
      Self.gauge(
        "path_expensive", "Whether the path costs money or counts against a quota.",
        path.flatMap { $0.isMeteringUnknown ? nil : .flag($0.isExpensive) }),
      Self.gauge(
        "path_constrained", "Whether programs are asked to use little data on the path.",
        path.map { .flag($0.isConstrained) }),
      Self.gauge(
        "path_tunnel", "Whether the traffic goes through a tunnel, such as a VPN.",
        path.flatMap { $0.status == .satisfied ? .flag($0.usesTunnel) : nil }),
      MetricFamily(
        "pathmonitor_validation", .gauge,
        help: "Whether the Internet answers: 1 for the present state. Without a path there is none.",
        samples: path.flatMap { $0.status == .satisfied ? Self.samples(of: $0.validation.state) : nil } ?? []),
    ]
  }

  /// A sample for each state, so that a state that is left goes to 0.
  private static func samples(of state: PathValidation.State) -> [MetricSample] {
    (PathValidation.State.all + (PathValidation.State.all.contains(state) ? [] : [state])).map {
      MetricSample(.flag($0 == state), labels: [.init("state", $0.rawValue)])
    }
  }

  /// The labels of the path. One that does not apply is empty, so that the names are always the same.
  private static func labels(of path: NetworkPath) -> [MetricSample.Label] {
    let isSatisfied = path.status == .satisfied
    return [
      .init("device", isSatisfied ? path.interfaces.first?.name ?? "" : ""),
      .init("type", path.interfaceType?.rawValue ?? ""),
      .init("reason", isSatisfied ? "" : path.unsatisfiedReason?.rawValue ?? ""),
    ]
  }

  // MARK: Totals

  private var totalFamilies: [MetricFamily] {
    [
      Self.counter("path_changes", "Changes of the path, also of those that did not settle.", totals?.changes),
      Self.counter("path_outages", "Times when the path became unsatisfied.", totals?.outages),
      MetricFamily(
        "pathmonitor_unsatisfied_seconds", .counter, unit: "seconds",
        help: "Time without a path, without suspend, by reason.",
        samples: totals.map(Self.unsatisfiedSamples) ?? []),
      MetricFamily(
        "pathmonitor_last_change_timestamp_seconds", .gauge, unit: "seconds",
        help: "When the path last changed, in seconds since 1970.",
        samples: (totals?.lastChange ?? service?.totals?.lastChange).map {
          [MetricSample(.seconds(microseconds: Int($0)))]
        } ?? []),
      Self.gauge(
        "history_up", "Whether the history is being recorded and can be read; absent where there is none.",
        isRecording.map { .flag($0) }),
      Self.counter(
        "ended_connections", "Connections that were ended because their address was removed.", endedConnections),
    ]
  }

  /// A sample for each reason. A series that begins with its first outage would hide that outage from `increase()`, so
  /// each reason is there from the beginning.
  private static func unsatisfiedSamples(_ totals: PathTotals) -> [MetricSample] {
    let usual = UnsatisfiedReason.all.filter { $0 != .requirementNotMet }
    let others = totals.unsatisfiedByReason.keys.filter { !usual.contains($0) }
    return (usual + others.sorted { $0.rawValue < $1.rawValue }).map { reason in
      MetricSample(
        .seconds(microseconds: Int(totals.unsatisfiedByReason[reason] ?? 0)),
        labels: [.init("reason", reason.rawValue.inOneLine)])
    }
  }

  // MARK: The service

  private var serviceFamilies: [MetricFamily] {
    let health = service?.health ?? [:]
    return [
      MetricFamily(
        "pathmonitor_build", .info, help: "The version of the service.",
        samples: service?.version.map { [MetricSample(.integer(1), labels: [.init("version", $0.inOneLine)])] } ?? []),
      Self.gauge(
        "subscribers", "Subscribers of the path, the journal of the service among them.",
        health["subscribers"].map { .integer($0) }),
      Self.gauge(
        "connections", "Clients that are connected, the one that asks for this included.",
        health["connections"].map { .integer($0) }),
      Self.counter("kernel_messages", "Messages of the kernel.", health["events"]),
      Self.counter("evaluations", "Evaluations of the path.", health["evaluations"]),
      Self.counter("overruns", "Times when the kernel dropped messages.", health["overruns"]),
      Self.counter("updates", "Updates published to subscribers.", health["updates"]),
      Self.counter("skipped_updates", "Updates that slow subscribers missed.", health["skipped"]),
      Self.gauge(
        "uptime_seconds", unit: "seconds", "Time since the service has started.",
        health["uptimeSeconds"].map { .integer($0) }),
      Self.gauge(
        "resident_memory_bytes", unit: "bytes", "Main memory that the service uses.",
        health["memoryBytes"].map { .integer($0) }),
      Self.gauge(
        "configuration_problems", "Mistakes in the configuration files.",
        service.map { .integer($0.configurationProblems) }),
    ]
  }

  private static func gauge(
    _ name: String, unit: String? = nil, _ help: String, _ value: MetricValue?
  ) -> MetricFamily {
    MetricFamily("pathmonitor_\(name)", .gauge, unit: unit, help: help, samples: value.map { [MetricSample($0)] } ?? [])
  }

  private static func counter(_ name: String, _ help: String, _ value: (some BinaryInteger)?) -> MetricFamily {
    MetricFamily(
      "pathmonitor_\(name)", .counter, help: help, samples: value.map { [MetricSample(.integer(Int($0)))] } ?? [])
  }
}
