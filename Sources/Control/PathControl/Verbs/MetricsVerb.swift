internal import Programs
internal import SystemIO

extension Verb {
  /// Prints metrics.
  package static let metrics = Verb(
    name: "metrics", summary: "Print metrics of path and service for Prometheus",
    options: MetricsOrder.options + Option.forMetrics,
    details: [
      .text(
        """
        Prints the path, the number of its changes and outages, the time without a path by reason, and the state of the \
        service, in the text format of Prometheus. A service that does not answer is pathmonitor_up 0, and an unknown \
        path is pathmonitor_path_known 0: neither is ever shown as offline.
        """),
      .text(
        """
        --textfile is for the textfile collector of node_exporter, which reads the files of a folder that end in .prom. \
        The file is replaced as a whole. --openmetrics prints OpenMetrics, which that collector does not read.
        """),
      .text(
        """
        --varlink answers calls of io.systemd.Metrics for systemd-report(1), at the listening socket that is standard \
        input, until nobody has asked for 30 seconds. pathmonitor-report.socket is installed for it but not enabled: \
        'systemctl enable --now pathmonitor-report.socket'.
        """),
    ],
    exits: [
      Exit(ExitStatus.yes, "the metrics are printed or written, also if the service does not answer"),
      Exit(ExitStatus.cannotKnow, "they cannot be written"),
    ],
    examples: [
      Example(
        "Metrics for node_exporter, from a timer",
        """
        cd /var/lib/prometheus/node-exporter
        pathctl metrics --textfile pathmonitor.prom
        """)
    ]
  ) { arguments throws(UsageError) in
    let outputs = MetricsOrder.options.filter(arguments.has).map(\.name)
    if outputs.count > 1 {
      throw UsageError("\(outputs.joined(separator: " and ")) exclude each other. Leave one of them out.")
    }
    if let path = arguments[MetricsOrder.textFile] { return MetricsOrder(.file(path)) }
    if arguments[MetricsOrder.server] == true { return MetricsOrder(.varlink) }
    return MetricsOrder(.text(arguments[MetricsOrder.openMetrics] == true ? .openMetrics : .prometheus))
  }
}

/// Print metrics of the path and of the service.
package struct MetricsOrder: VerbOrder {
  /// The receiver of the metrics.
  package enum Output: Hashable, Sendable {
    /// Standard output, in a text format.
    case text(TextExposition)
    /// A file for node_exporter.
    case file(String)
    /// The clients of `io.systemd.Metrics` at the listening socket that is standard input.
    case varlink
  }

  static let textFile = OwnOption(
    "--textfile", .path, example: "/tmp/pathmonitor.prom", summary: "Write this file for node_exporter, as a whole"
  ) { (option, text) throws(UsageError) in
    if text == "-" {
      throw option.rejection(of: text, as: "path", because: "without it, the metrics go to standard output")
    }
    return try option.path(from: text)
  }
  static let openMetrics = OwnOption(
    flag: "--openmetrics", summary: "Print OpenMetrics, not the format of Prometheus")
  static let server = OwnOption(flag: "--varlink", summary: "Answer calls of io.systemd.Metrics at a socket")
  static let options = [textFile.option, openMetrics.option, server.option]

  private let output: Output

  /// The order of `pathctl metrics`.
  package init(_ output: Output) {
    self.output = output
  }

  /// Asks the service, and prints, writes or serves the metrics.
  package func run(_ invocation: Invocation) -> Int32 {
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
    case .file(let path): OutputFile.problem(with: path, alternative: "leave \(Self.textFile.option.name) out")
    case .varlink where UnixSocket.isListening(0): nil
    case .varlink:
      "standard input is no listening Unix socket. Start pathmonitor-report.socket, which hands one over."
    }
  }
}
