package import Programs
internal import SystemIO

/// `pathctl metrics`: prints metrics of the path and of the service.
package struct MetricsVerb: Verb {
  package static let name = "metrics"
  package static let summary = "Print metrics of path and service for Prometheus"
  package static var ownOptions: [Option<MetricsVerb>] { [textFile, openMetrics, .socket] }
  package static let details = """
    Prints the path, the number of its changes and outages, the time without a path by reason, and the
    state of the service, in the text format of Prometheus. A service that does not answer is
    pathmonitor_up 0, and an unknown path is pathmonitor_path_known 0: neither is ever shown as offline.
    --textfile is for the textfile collector of node_exporter, which reads the files of a folder that
    end in .prom. The file is replaced as a whole. --openmetrics prints OpenMetrics, which that
    collector does not read.
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

  package var invocation = Invocation()
  private var file: String?
  private var isOpenMetrics = false

  package init() {}

  package mutating func take(_ operands: [String], command: [String]) throws(UsageError) {
    if file != nil, isOpenMetrics { throw UsageError(exclusive: ["--textfile", "--openmetrics"]) }
  }

  /// The receiver that the options name.
  package var output: Output {
    file.map { .file($0) } ?? .text(isOpenMetrics ? .openMetrics : .prometheus)
  }

  /// Asks the service, and prints or writes the metrics.
  package func run() -> Int32 {
    if let file, let problem = OutputFile.problem(with: file, alternative: "leave --textfile out") {
      PathControl.complain(problem)
      return ExitStatus.usage
    }
    let families = PathMetrics.now(askingServiceAt: invocation.socket).families
    do throws(SystemError) {
      switch output {
      case .text(let format): return PathControl.say(format.text(families), ExitStatus.yes)
      case .file(let path): try Files.replace(path, with: Array(TextExposition.prometheus.text(families).utf8))
      }
      return ExitStatus.yes
    } catch {
      PathControl.complain("\(error.description).")
      return ExitStatus.cannotKnow
    }
  }
}
