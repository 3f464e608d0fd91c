internal import PathModel

/// Answers `org.varlink.service`, which describes the service and its interfaces to clients.
package struct ServiceDirectory: Sendable {
  /// The result for a call.
  package enum Answer: Equatable, Sendable {
    /// The call is answered with this reply.
    case reply([UInt8])
    /// The call belongs to one of the interfaces.
    case forward
  }

  private let information: [UInt8]
  private let descriptions: [(interface: String, text: String)]

  /// A directory of the service's own interfaces.
  ///
  /// - Parameter descriptions: The name of each interface and its description in varlink's language.
  package init(
    vendor: String, product: String, version: String, url: String,
    descriptions: [(interface: String, text: String)]
  ) {
    self.descriptions = descriptions + [(Self.interface, Self.description)]
    let interfaces = [Self.interface] + descriptions.map(\.interface)
    information = VarlinkReply.frame { writer in
      for (key, value) in [("vendor", vendor), ("product", product), ("version", version), ("url", url)] {
        writer.key(key)
        writer.string(value)
      }
      writer.key("interfaces")
      writer.beginArray()
      for interface in interfaces { writer.string(interface) }
      writer.endArray()
    }
  }

  /// Answers the call if it is for `org.varlink.service` or for an unknown interface.
  package func answer(to call: VarlinkCall) -> Answer {
    guard let interface = call.interface else {
      return .reply(VarlinkError.invalidParameter("method", "'\(call.method)' names no interface").frame)
    }
    guard interface == Self.interface else {
      let isKnown = descriptions.contains { $0.interface == interface }
      return isKnown ? .forward : .reply(VarlinkError.interfaceNotFound(interface).frame)
    }
    switch call.name {
    case "GetInfo": return .reply(information)
    case "GetInterfaceDescription": return .reply(describe(call.parameters["interface"]))
    default: return .reply(VarlinkError.methodNotFound(call.method).frame)
    }
  }

  private func describe(_ parameter: JSONValue?) -> [UInt8] {
    guard let name = parameter?.stringValue else {
      return VarlinkError.invalidParameter("interface", "the parameter \"interface\" must be a string").frame
    }
    guard let known = descriptions.first(where: { $0.interface == name }) else {
      return VarlinkError.interfaceNotFound(name).frame
    }
    return VarlinkReply.frame(reservingCapacity: known.text.utf8.count + 256) { writer in
      writer.key("description")
      writer.string(known.text)
    }
  }

  /// The interface that every service has.
  package static let interface = "org.varlink.service"

  private static let description = """
    # The service interface of varlink: who the service is, and which interfaces it has.
    interface org.varlink.service

    # Returns the maker of the service and the names of its interfaces.
    method GetInfo() -> (vendor: string, product: string, version: string, url: string, interfaces: []string)

    # Returns the description of an interface.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # There is no such interface.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The service does not offer the method, or not in this way.
    error MethodNotImplemented (method: string)

    # A parameter is not as the interface says.
    error InvalidParameter (parameter: string)

    # The caller may not do this.
    error PermissionDenied ()

    # The method answers with a stream of replies: call it with "more".
    error ExpectedMore ()

    """
}
