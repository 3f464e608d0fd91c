import PathModel
import Testing
import Varlink

@Suite("The service directory")
struct ServiceDirectoryTests {
  private let directory = ServiceDirectory(
    vendor: "vendor", product: "product", version: "1.2", url: "https://example.org/",
    descriptions: [("org.example.a", "interface org.example.a\n"), ("org.example.b", "interface org.example.b\n")])

  /// The reply to a call; `nil` for a call of one of the interfaces.
  private func reply(to call: VarlinkCall) throws -> VarlinkReply? {
    guard case .reply(let frame) = directory.answer(to: call) else { return nil }
    #expect(frame.last == 0)
    return try VarlinkReply(parsing: frame.dropLast())
  }

  @Test func `GetInfo returns the vendor, the product and the interfaces`() throws {
    #expect(
      try reply(to: VarlinkCall("org.varlink.service.GetInfo"))
        == VarlinkReply([
          "vendor": "vendor", "product": "product", "version": "1.2", "url": "https://example.org/",
          "interfaces": ["org.varlink.service", "org.example.a", "org.example.b"],
        ]))
  }

  @Test(arguments: ["org.example.a", "org.example.b", "org.varlink.service"])
  func `GetInterfaceDescription returns the text of each interface`(interface: String) throws {
    let call = VarlinkCall("org.varlink.service.GetInterfaceDescription", ["interface": .string(interface)])
    let text = try #require(try reply(to: call)?.parameters["description"]?.stringValue)
    #expect(text.split(separator: "\n").contains("interface \(interface)"))
  }

  @Test func `the description of the service's interface declares every method and error that it answers with`() throws
  {
    let call = VarlinkCall("org.varlink.service.GetInterfaceDescription", ["interface": "org.varlink.service"])
    let text = try #require(try reply(to: call)?.parameters["description"]?.stringValue)
    for declaration in [
      "method GetInfo() ->", "method GetInterfaceDescription(interface: string) -> (description: string)",
      "error InterfaceNotFound (interface: string)", "error MethodNotFound (method: string)",
      "error MethodNotImplemented (method: string)", "error InvalidParameter (parameter: string)",
      "error ExpectedMore ()", "error PermissionDenied ()",
    ] {
      #expect(text.contains("\n\(declaration)"))
    }
  }

  @Test(arguments: [
    (VarlinkCall("GetInfo"), "InvalidParameter", "parameter", "method"),
    (VarlinkCall(""), "InvalidParameter", "parameter", "method"),
    (VarlinkCall("."), "InterfaceNotFound", "interface", ""),
    (VarlinkCall("org.example.GetInfo"), "InterfaceNotFound", "interface", "org.example"),
    (VarlinkCall("org.varlink.GetInfo"), "InterfaceNotFound", "interface", "org.varlink"),
    (VarlinkCall("org.varlink.service."), "MethodNotFound", "method", "org.varlink.service."),
    (VarlinkCall("org.varlink.service.getInfo"), "MethodNotFound", "method", "org.varlink.service.getInfo"),
    (
      VarlinkCall("org.varlink.service.\u{301}GetInfo"), "MethodNotFound", "method",
      "org.varlink.service.\u{301}GetInfo"
    ),
    (VarlinkCall("org.varlink.service.GetInterfaceDescription"), "InvalidParameter", "parameter", "interface"),
    (
      VarlinkCall("org.varlink.service.GetInterfaceDescription", ["interface": 1]), "InvalidParameter", "parameter",
      "interface"
    ),
    (
      VarlinkCall("org.varlink.service.GetInterfaceDescription", ["interface": nil]), "InvalidParameter", "parameter",
      "interface"
    ),
    (
      VarlinkCall("org.varlink.service.GetInterfaceDescription", ["interface": "org.example"]), "InterfaceNotFound",
      "interface", "org.example"
    ),
  ])
  func `an unknown interface or method gets the error for it`(
    call: VarlinkCall, error: String, key: String, value: String
  ) throws {
    let reply = try #require(try reply(to: call))
    #expect(reply.error == "org.varlink.service.\(error)")
    #expect(reply.parameters[key] == .string(value))
  }

  @Test(arguments: ["org.example.a.GetInfo", "org.example.b.", "org.example.a.x"])
  func `calls of the interfaces get no reply here`(method: String) throws {
    #expect(directory.answer(to: VarlinkCall(method)) == .forward)
  }
}
