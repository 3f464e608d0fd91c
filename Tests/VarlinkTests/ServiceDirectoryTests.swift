import PathModel
import Testing
import Varlink

@Suite("The service directory")
struct ServiceDirectoryTests {
  private let directory = ServiceDirectory(
    vendor: "vendor", product: "product", version: "1.2", url: "https://example.org/",
    descriptions: [("org.example.a", "interface org.example.a\n"), ("org.example.b", "interface org.example.b\n")])

  private static let own = "org.varlink.service"
  private static let describe = "org.varlink.service.GetInterfaceDescription"

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
    let call = VarlinkCall(Self.describe, ["interface": .string(interface)])
    let text = try #require(try reply(to: call)?.parameters["description"]?.stringValue)
    #expect(text.split(separator: "\n").contains("interface \(interface)"))
  }

  @Test func `the description of the service's interface declares every method and error that it answers with`() throws
  {
    let call = VarlinkCall(Self.describe, ["interface": .string(Self.own)])
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

  @Test(
    arguments: [
      ("GetInfo", [:], "InvalidParameter", "parameter", "method"), ("", [:], "InvalidParameter", "parameter", "method"),
      (".", [:], "InterfaceNotFound", "interface", ""),
      ("org.example.GetInfo", [:], "InterfaceNotFound", "interface", "org.example"),
      ("org.varlink.GetInfo", [:], "InterfaceNotFound", "interface", "org.varlink"),
      ("\(own).", [:], "MethodNotFound", "method", "\(own)."),
      ("\(own).getInfo", [:], "MethodNotFound", "method", "\(own).getInfo"),
      ("\(own).\u{301}GetInfo", [:], "MethodNotFound", "method", "\(own).\u{301}GetInfo"),
      (describe, [:], "InvalidParameter", "parameter", "interface"),
      (describe, ["interface": 1], "InvalidParameter", "parameter", "interface"),
      (describe, ["interface": nil], "InvalidParameter", "parameter", "interface"),
      (describe, ["interface": "org.example"], "InterfaceNotFound", "interface", "org.example"),
    ] as [(String, JSONObject, String, String, String)])
  func `an unknown interface or method gets the error for it`(
    method: String, parameters: JSONObject, error: String, key: String, value: String
  ) throws {
    let reply = try #require(try reply(to: VarlinkCall(method, parameters)))
    #expect(reply.error == "org.varlink.service.\(error)")
    #expect(reply.parameters[key] == .string(value))
  }

  @Test(arguments: ["org.example.a.GetInfo", "org.example.b.", "org.example.a.x"])
  func `calls of the interfaces get no reply here`(method: String) throws {
    #expect(directory.answer(to: VarlinkCall(method)) == .forward)
  }
}
