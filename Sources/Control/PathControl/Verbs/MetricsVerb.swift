package import Programs
internal import SystemIO

/// `pathctl metrics`: prints metrics of the path and of the service.
package struct MetricsVerb: Verb {
  package static let name = "metrics"
  package static let summary = "Print metrics of path and service for Prometheus"
  package static var ownOptions: [Option<MetricsVerb>] { [textFile, openMetrics, server, .socket] }
  package static let details = """
    Prints the path, the number of its changes and outages, the time without a path by reason, and the
    state of the service, in the text format of Prometheus. A service that does not answer is
    pathmonitor_up 0, and an unknown path is pathmonitor_path_known 0: neither is ever shown as offline.
    --textfile is for the textfile collector of node_exporter, which reads the files of a folder that
    end in .prom. The file is replaced as a whole. --openmetrics prints OpenMetrics, which that
    collector does not read.
    --varlink answers calls of io.systemd.Metrics for systemd-report(1), at the listening socket that is
    standard input, until nobody has asked for 30 seconds. pathmonitor-report.socket is installed for it
    but not enabled: 'systemctl enable --now pathmonitor-report.socket'.
    """
  package static let exits: [(status: Int32, meaning: String)] = [
    (ExitStatus.yes, "the metrics are printed or written, also if the service does not answer"),
    (ExitStatus.cannotKnow, "they cannot be written"),
  ]
  package static let examples = [
    (
      purpose: "Metrics for node_exporter, from a timer",
      lines: """
      cd /var/lib/prometheus/node-exporter
      pathctl metrics --textfile pathmonitor.prom
      """
    )
  ]

  /// The receiver of the metrics.
  package enum Output: Hashable, Sendable {
    /// Standard output, in a text format.
    case text(TextExposition)
    /// A file for node_exporter.
    case file(String)
    /// The clients of `io.systemd.Metrics` at the listening socket that is standard input.
    case varlink
  }

  private static var textFile: Option<MetricsVerb> {
    Option(
      "--textfile", .path, example: "/tmp/pathmonitor.prom", summary: "Write this file for node_exporter, as a whole"
    ) { (verb, value) throws(UsageError) in
      if value.text == "-" {
        throw value.rejected(as: "path", because: "without it, the metrics go to standard output")
      }
      verb.file = try value.path()
    }
  }
  private static var openMetrics: Option<MetricsVerb> {
    Option("--openmetrics", summary: "Print OpenMetrics, not the format of Prometheus") { $0.isOpenMetrics = true }
  }
  private static var server: Option<MetricsVerb> {
    Option("--varlink", summary: "Answer calls of io.systemd.Metrics at a socket") { $0.isServer = true }
  }

  package var invocation = Invocation()
  private var file: String?
  private var isOpenMetrics = false
  private var isServer = false

  package init() {}

  package mutating func take(_ operands: [String], command: [String]) throws(UsageError) {
    let given = [("--textfile", file != nil), ("--openmetrics", isOpenMetrics), ("--varlink", isServer)].filter(\.1)
    if given.count > 1 { throw UsageError(exclusive: given.map(\.0)) }
  }

  /// The receiver that the options name.
  package var output: Output {
    if isServer { return .varlink }
    return file.map { .file($0) } ?? .text(isOpenMetrics ? .openMetrics : .prometheus)
  }

  /// Asks the service, and prints, writes or serves the metrics.
  package func run() -> Int32 {
    if let problem {
      PathControl.complain(problem)
      return ExitStatus.usage
    }
    let families = { PathMetrics.now(askingServiceAt: invocation.socket).families }
    do throws(SystemError) {
      switch output {
      case .text(let format): return PathControl.say(format.text(families()), ExitStatus.yes)
      case .file(let path): try Files.replace(path, with: Array(TextExposition.prometheus.text(families()).utf8))
      case .varlink: try MetricsServer(source: families).run(at: 0)
      }
      return ExitStatus.yes
    } catch  where error.isBrokenPipe {
      return ExitStatus.yes
    } catch {
      PathControl.complain("\(error.description).")
      return ExitStatus.cannotKnow
    }
  }

  /// The reason why the metrics cannot go to their file, or not be served.
  private var problem: String? {
    switch output {
    case .text: nil
    case .file(let path): OutputFile.problem(with: path, alternative: "leave --textfile out")
    case .varlink where UnixSocket.isListening(0): nil
    case .varlink:
      "standard input is no listening Unix socket. Start pathmonitor-report.socket, which hands one over."
    }
  }
}
