package import PathModel

/// The typed error with which a service answers a call.
package struct VarlinkError: Error, Equatable, Sendable {
  /// The full name: the interface that declares the error, a dot, and the name.
  package var name: String
  /// The details, as the interface declares them.
  package var parameters: JSONObject

  /// An error with a full name and its details.
  package init(_ name: String, _ parameters: JSONObject = JSONObject()) {
    self.name = name
    self.parameters = parameters
  }

  /// The frame of the reply, with its NUL.
  package var frame: [UInt8] {
    var writer = JSONWriter(reservingCapacity: 256)
    writer.beginObject()
    writer.key("error")
    writer.string(name)
    writer.key("parameters")
    JSONValue.object(parameters).write(to: &writer)
    writer.endObject()
    writer.appendRaw(0)
    return writer.bytes
  }
}

/// The errors that `org.varlink.service` declares for every service.
extension VarlinkError {
  /// The service has no such interface.
  package static func interfaceNotFound(_ interface: String) -> VarlinkError {
    VarlinkError("org.varlink.service.InterfaceNotFound", ["interface": .string(interface)])
  }

  /// The interface has no method of the name.
  package static func methodNotFound(_ method: String) -> VarlinkError {
    VarlinkError("org.varlink.service.MethodNotFound", ["method": .string(method)])
  }

  /// The interface has the method, but the service does not offer it, or not in the requested way.
  package static func methodNotImplemented(_ method: String) -> VarlinkError {
    VarlinkError("org.varlink.service.MethodNotImplemented", ["method": .string(method)])
  }

  /// A parameter, or the call itself, does not match the interface.
  ///
  /// - Parameter reason: The mistake and the allowed values. It has a key of its own beside the one that the interface
  ///   declares; readers ignore unknown keys.
  package static func invalidParameter(_ parameter: String, _ reason: String) -> VarlinkError {
    VarlinkError(
      "org.varlink.service.InvalidParameter", ["parameter": .string(parameter), "reason": .string(reason)])
  }

  /// The method answers with a stream of replies, and the call did not say `more`.
  package static let expectedMore = VarlinkError("org.varlink.service.ExpectedMore")
}
