internal import PathModel
package import Varlink

/// The interface `io.systemd.Metrics`, by which systemd-report(1) collects metrics. Pure.
package enum MetricsInterface {
  /// The name of the interface.
  package static let name = "io.systemd.Metrics"
  /// The prefix of our metrics, which has to be the name of the socket.
  package static let prefix = "io.pathmonitor.PathMonitor"

  /// The interface in varlink's language, as systemd 260 has it.
  ///
  /// Source: `src/shared/varlink-io.systemd.Metrics.c` of systemd.
  package static let description = """
    # Metrics of a service, for systemd-report and other collectors.
    interface io.systemd.Metrics

    # The kind of the values of a metric family.
    type MetricFamilyType (counter, gauge, string)

    # Returns every metric, one in each reply: its family, its value (a number or a string), the object that it is about,
    # and fields that tell metrics of one family apart. To be called with "more".
    method List() -> (name: string, value: object, object: ?string, fields: ?object)

    # Returns every metric family, one in each reply. To be called with "more".
    method Describe() -> (name: string, description: string, type: MetricFamilyType)

    # There is no metric.
    error NoSuchMetric ()

    """

  /// The directory that describes the service to clients.
  package static var directory: ServiceDirectory {
    ServiceDirectory(
      vendor: "PathMonitor developers", product: "pathctl", version: PathMonitorVersion.current,
      url: "file:///usr/share/doc/pathmonitor/", descriptions: [(name, description)])
  }

  /// The replies to a call, of which all but the last announce another one.
  ///
  /// - Parameter families: Returns the families with their samples; called when the call needs them.
  package static func replies(to call: VarlinkCall, families: () -> [MetricFamily]) throws(VarlinkError) -> [[UInt8]] {
    let write: [(inout JSONWriter) -> Void]
    guard call.interface == name else { throw .methodNotFound(call.method) }
    if call.wantsUpgrade { throw .methodNotImplemented(call.method) }
    switch call.name {
    case "List" where call.acceptsMore: write = families().flatMap(metrics)
    case "Describe" where call.acceptsMore: write = families().map(description)
    case "List", "Describe": throw .expectedMore
    default: throw .methodNotFound(call.method)
    }
    guard let last = write.last else { throw VarlinkError("\(name).NoSuchMetric") }
    return write.dropLast().map { VarlinkReply.frame(continues: true, $0) } + [VarlinkReply.frame(last)]
  }

  /// The name of a family in the style of systemd: `io.pathmonitor.PathMonitor.PathSatisfied`.
  package static func name(of family: MetricFamily) -> String {
    let words = family.name.split(separator: "_").dropFirst()
    return "\(prefix).\(words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined())"
  }

  private static func description(of family: MetricFamily) -> (inout JSONWriter) -> Void {
    { writer in
      writer.key("name")
      writer.string(name(of: family))
      writer.key("description")
      writer.string(family.help)
      writer.key("type")
      // The interface has no type for mere information.
      writer.string((family.kind == .info ? .gauge : family.kind).rawValue)
    }
  }

  private static func metrics(of family: MetricFamily) -> [(inout JSONWriter) -> Void] {
    family.samples.map { sample in
      { writer in
        writer.key("name")
        writer.string(name(of: family))
        writer.key("value")
        switch sample.value {
        case .integer(let number): writer.integer(number)
        case .seconds: writer.number(sample.value.number)
        }
        guard !sample.labels.isEmpty else { return }
        writer.key("fields")
        writer.beginObject()
        for label in sample.labels {
          writer.key(label.name)
          writer.string(label.value)
        }
        writer.endObject()
      }
    }
  }
}
