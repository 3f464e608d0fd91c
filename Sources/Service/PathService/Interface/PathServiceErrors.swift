internal import PathModel
internal import Varlink

/// The errors that `io.pathmonitor.PathMonitor` declares.
extension VarlinkError {
  private init(_ name: PathMonitorInterface.ErrorName, _ parameters: JSONObject) {
    self.init(name.fullName, parameters)
  }

  /// A requirement that cannot be read.
  static func invalidRequirement(_ error: PathRequirement.ParseError) -> VarlinkError {
    VarlinkError(
      .invalidRequirement,
      [
        "text": .string(error.text), "position": .integer(Int64(error.position)),
        "allowed": .array(error.allowed.map { .string($0) }),
      ])
  }

  /// The caller may not do this; `needed` describes the missing permission.
  static func permissionDenied(needed: String) -> VarlinkError {
    VarlinkError(.permissionDenied, ["needed": .string(needed)])
  }

  /// The caller exceeds a limit.
  static func limitReached(_ limit: String, _ value: Int) -> VarlinkError {
    VarlinkError(.limitReached, ["limit": .string(limit), "value": .integer(Int64(value))])
  }

  /// No interface has the name.
  static func noSuchInterface(_ name: String) -> VarlinkError {
    VarlinkError(.noSuchInterface, ["name": .string(name)])
  }

  /// The text is no numeric address, or a link-local one, which is reached over a link and not by a path.
  static func invalidDestination(_ destination: String) -> VarlinkError {
    VarlinkError(.invalidDestination, ["destination": .string(destination)])
  }

  /// The path is not that of the report: another interface, or `nil` for none, or other routers.
  static func anotherPath(_ interface: String?) -> VarlinkError {
    VarlinkError(.anotherPath, ["interface": interface.map { .string($0) } ?? .null])
  }

  /// The kernel cannot be asked.
  static func pathUnknown(_ reason: String) -> VarlinkError {
    VarlinkError(.pathUnknown, ["reason": .string(reason)])
  }
}

/// Replies and errors with a path, written straight into the frame.
enum PathFrame {
  /// The reply `(path)`.
  static func reply(_ path: NetworkPath, by pathWriter: inout PathWriter) -> [UInt8] {
    VarlinkReply.frame(reservingCapacity: NetworkPath.usualLength) { writer in
      writer.key("path")
      pathWriter.write(path, to: &writer)
    }
  }

  /// The reply `(path)` of a call that goes on.
  static func update(_ path: NetworkPath) -> [UInt8] {
    VarlinkReply.frame(continues: true, reservingCapacity: NetworkPath.usualLength) { writer in
      writer.key("path")
      path.write(to: &writer)
    }
  }

  /// The error `TimedOut (path)`.
  static func timedOut(_ path: NetworkPath) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: NetworkPath.usualLength)
    writer.beginObject()
    writer.key("error")
    writer.string(PathMonitorInterface.ErrorName.timedOut.fullName)
    writer.key("parameters")
    writer.beginObject()
    writer.key("path")
    path.write(to: &writer)
    writer.endObject()
    writer.endObject()
    writer.appendRaw(0)
    return writer.bytes
  }
}
