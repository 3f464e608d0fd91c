import PathModel
import PathTestSupport
import Testing
import Varlink

@testable import PathService

@Suite("The interface description")
struct InterfaceDescriptionTests {
  private let interface = InterfaceText(InterfaceDescription.text)

  @Test func `it names the interface, its methods and its errors as the code does`() {
    #expect(interface.name == PathMonitorInterface.name)
    #expect(interface.methods.map(\.name) == PathMonitorInterface.Method.allCases.map(\.rawValue))
    #expect(interface.errors.map(\.name) == PathMonitorInterface.ErrorName.allCases.map(\.rawValue))
  }

  @Test func `it has every agreed field, and at most more fields`() throws {
    let agreed = InterfaceText(AgreedInterface.text)
    #expect(interface.errors == agreed.errors)
    #expect(interface.methods.map(\.name) == agreed.methods.map(\.name))
    for (method, agreed) in zip(interface.methods, agreed.methods) {
      #expect(method.fields == agreed.fields)
      #expect(method.output.filter { agreed.output.contains($0) } == agreed.output)
    }
    for agreed in agreed.types {
      let type = try #require(interface.types.first { $0.name == agreed.name })
      #expect(type.fields.filter { agreed.fields.contains($0) } == agreed.fields)
    }
  }

  private static let tables = [
    "NetworkPath": NetworkPath.fields.map { field($0.key, $0.type) }, "Interface": rows(NetworkInterface.fields),
    "Cost": rows(Cost.fields),
    "Evidence": rows(Evidence.fields), "Diagnosis": rows(Diagnosis.fields),
    "Validation": rows(PathValidation.fields), "Observation": rows(PathValidation.Observation.fields),
  ]

  private static func rows<Object: Sendable>(_ fields: [Field<Object>]) -> [InterfaceText.Field] {
    fields.map { field($0.key, $0.type) }
  }

  private static func field(_ name: String, _ type: String) -> InterfaceText.Field {
    .init(name: name, type: type.filter { $0 != " " })
  }

  @Test(arguments: tables)
  func `its types have the fields of the tables, in their order and of their types`(
    name: String, fields: [InterfaceText.Field]
  ) {
    #expect(interface.types.first { $0.name == name }?.fields == fields)
  }

  @Test func `its other types have the keys of the code, in their order`() throws {
    let address = try #require(IPAddress("192.0.2.1"))
    let keys = [
      "PathTotals": try Self.keys { PathTotals().write(to: &$0) },
      "Route": try Self.keys { RouteSummary(to: address).write(to: &$0) },
    ]
    #expect(interface.types.count == Self.tables.count + keys.count)
    for (name, keys) in keys { #expect(interface.types.first { $0.name == name }?.fields.map(\.name) == keys) }
  }

  /// The keys of a written object, in their order.
  private static func keys(_ write: (inout JSONWriter) -> Void) throws -> [String] {
    var writer = JSONWriter()
    write(&writer)
    return try #require(try JSONValue(parsing: writer.bytes).objectValue).members.map(\.key)
  }

  @Test func `its comments have every word of a path's reason or type`() {
    let words = InterfaceDescription.text.split { !$0.isLetter }.map(String.init)
    #expect(Set(UnsatisfiedReason.all.map(\.rawValue)).subtracting(words).isEmpty)
    #expect(Set(InterfaceType.allCases.map(\.rawValue)).subtracting(words).isEmpty)
  }

  @Test func `every type that it names is defined, and used`() {
    let fields = (interface.types + interface.errors + interface.methods).flatMap { $0.fields + $0.output }
    let named = fields.flatMap { $0.type.split { !$0.isLetter } }.filter { $0.first?.isUppercase == true }
    #expect(Set(named.map(String.init)) == Set(interface.types.map(\.name)))
  }

  // MARK: Values

  private static let full = NetworkPath.full

  private static let bare: NetworkPath = {
    var path = NetworkPath.unknown
    path.interfaces = [
      NetworkInterface(
        name: "eth0", index: 2, type: .wiredEthernet, isExpensive: false, isConstrained: false, underlying: [],
        mtu: nil,
        hardwareAddress: nil, addresses: [], driver: nil)
    ]
    return path
  }()

  private static func json(of path: NetworkPath) throws -> JSONValue {
    var writer = JSONWriter()
    path.write(to: &writer)
    return try JSONValue(parsing: writer.bytes)
  }

  @Test func `a path is written with the fields of the description, in their order and of their types`() throws {
    for path in [Self.full, Self.bare] {
      #expect(interface.problem(with: try Self.json(of: path), as: "NetworkPath") == nil)
    }
  }

  @Test func `the full path leaves no field null, the bare one every field that may be`() throws {
    #expect(!(try Self.json(of: Self.full)).description.contains("null"))
    let bare = try Self.json(of: Self.bare)
    for (name, object) in [("NetworkPath", bare), ("Interface", bare["interfaces"]?.arrayValue?.first ?? nil)] {
      let type = try #require(interface.types.first { $0.name == name })
      for field in type.fields where field.type.hasPrefix("?") {
        #expect(object[field.name]?.isNull == true, "\(field.name)")
      }
    }
  }

  @Test func `each closed field has exactly the values of the description`() {
    let fields = interface.types.first { $0.name == "NetworkPath" }?.fields ?? []
    let (status, knowledge) = (NetworkPath.Status.allCases, NetworkPath.Knowledge.allCases)
    #expect(fields.contains(.init(name: "status", type: "(\(status.map(\.rawValue).joined(separator: ",")))")))
    #expect(fields.contains(.init(name: "knowledge", type: "(\(knowledge.map(\.rawValue).joined(separator: ",")))")))
  }

  // MARK: Errors

  static let errors: [VarlinkError] = [
    .invalidRequirement(PathRequirement.ParseError(text: "x", position: 0, allowed: ["wifi"], message: "is wrong")),
    .permissionDenied(needed: "root"), .limitReached("overrides", 64), .noSuchInterface("eth9"),
    .invalidDestination("x"), .pathUnknown("the kernel could not be asked"),
    .anotherPath("eth0"),
  ]

  @Test func `each error is sent with exactly the declared parameters`() throws {
    var names: [String] = []
    for frame in Self.errors.map(\.frame) + [PathFrame.timedOut(Self.full)] {
      let reply = try VarlinkReply(parsing: frame.dropLast())
      let name = try #require(reply.error.flatMap { PathMonitorInterface.ErrorName(fullName: $0) })
      let declared = try #require(interface.errors.first { $0.name == name.rawValue })
      #expect(interface.problem(with: reply.parameters, as: declared.fields) == nil)
      names.append(name.rawValue)
    }
    #expect(names.sorted() == PathMonitorInterface.ErrorName.allCases.map(\.rawValue).sorted())
  }

  @Test func `a reply with a path is the declared one`() throws {
    var writer = PathWriter()
    for (continues, frame) in [(true, PathFrame.update(Self.full)), (false, PathFrame.reply(Self.full, by: &writer))] {
      let reply = try VarlinkReply(parsing: frame.dropLast())
      #expect(reply.continues == continues)
      for method in interface.methods where ["GetPath", "WatchPath", "WaitForPath"].contains(method.name) {
        #expect(interface.problem(with: reply.parameters, as: method.output) == nil)
      }
    }
  }
}
