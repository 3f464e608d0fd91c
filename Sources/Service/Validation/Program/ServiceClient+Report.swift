internal import PathFollowing
internal import PathModel

extension ServiceClient {
  /// Reports a verdict on a path.
  ///
  /// - Parameters:
  ///   - begun: When its round began, in microseconds since boot; `nil` for a withdrawal.
  ///   - isHeld: Whether the verdict is to live as long as this connection.
  func report(_ verdict: PathValidation, on path: NetworkPath, begun: Int?, isHeld: Bool) throws(PathSourceError) {
    var writer = JSONWriter()
    verdict.write(to: &writer)
    _ = try ask(
      .reportValidation,
      [
        "interface": .string(path.interfaces.first?.name ?? ""),
        "gateways": .array(path.gateways.map { .string($0.scoped(to: nil).description) }),
        "begun": begun.map { .integer(Int64($0)) } ?? .null,
        "validation": (try? JSONValue(parsing: writer.bytes)) ?? .null,
      ], acceptsMore: isHeld)
  }
}

extension PathValidation {
  /// Whether the service has a report of the validator on the path.
  var isReported: Bool { evidence.contains { $0.source == .host || $0.source == .signIn } }
}

extension PathSourceError {
  /// Whether the service has refused with this error.
  func isRefusal(_ name: PathMonitorInterface.ErrorName) -> Bool { reply == .error(name: name.fullName) }
}
