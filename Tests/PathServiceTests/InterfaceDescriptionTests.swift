import PathModel
import PathTestSupport
import Testing
import Varlink

@testable import PathService

@Suite("The interface description")
struct InterfaceDescriptionTests {
  private let interface: InterfaceText

  init() throws {
    interface = try InterfaceText(InterfaceDescription.text)
  }

  @Test func `it names the interface, its methods and its errors as the code does`() {
    #expect(interface.name == PathMonitorInterface.name)
    #expect(interface.methods.map(\.name) == PathMonitorInterface.Method.allCases.map(\.rawValue))
    #expect(interface.errors.map(\.name) == PathMonitorInterface.ErrorName.allCases.map(\.rawValue))
  }

  @Test func `it has every agreed field, and at most more fields`() throws {
    let agreed = try InterfaceText(AgreedInterface.text)
    #expect(interface.errors == agreed.errors)
    #expect(interface.methods.map(\.name) == agreed.methods.map(\.name))
    for (method, agreedMethod) in zip(interface.methods, agreed.methods) {
      #expect(method.input == agreedMethod.input)
      #expect(method.output.filter { agreedMethod.output.contains($0) } == agreedMethod.output)
    }
    for agreedType in agreed.types {
      let type = try #require(interface.types.first { $0.name == agreedType.name })
      guard case .structure(let fields) = type.kind, case .structure(let agreedFields) = agreedType.kind else {
        Issue.record("\(type.name) is no structure")
        continue
      }
      #expect(fields.filter { agreedFields.contains($0) } == agreedFields)
    }
  }

  private static let tables = [
    "NetworkPath": NetworkPath.fields.map { "\($0.key): \($0.type)" },
    "Interface": rows(NetworkInterface.fields),
    "Cost": rows(Cost.fields), "Evidence": rows(Evidence.fields), "Diagnosis": rows(Diagnosis.fields),
    "Validation": rows(PathValidation.fields), "Observation": rows(PathValidation.Observation.fields),
  ]

  @Test func `its types have the fields of the tables, in their order and of their types`() throws {
    let text = Self.tables.map { "type \($0) (\($1.joined(separator: ", ")))\n" }.joined()
    for type in try InterfaceText("interface io.pathmonitor.Tables\n\(text)").types {
      #expect(
        interface.types.first { $0.name == type.name } == type, "\(type.name) in io.pathmonitor.PathMonitor.varlink")
    }
  }

  private static func rows<Object: Sendable>(_ fields: [Field<Object>]) -> [String] {
    fields.map { "\($0.key): \($0.type)" }
  }

  @Test func `its other types have the keys of the code, in their order`() throws {
    let address = try #require(IPAddress("192.0.2.1"))
    let keys = [
      "PathTotals": try Self.keys { PathTotals().write(to: &$0) },
      "Route": try Self.keys { RouteSummary(to: address).write(to: &$0) },
    ]
    #expect(interface.types.count == Self.tables.count + keys.count)
    for type in interface.types {
      guard let expected = keys[type.name], case .structure(let described) = type.kind else { continue }
      #expect(described.map(\.name) == expected, "\(type.name) in io.pathmonitor.PathMonitor.varlink")
    }
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
    let kinds =
      interface.types.map(\.kind) + interface.errors.map(\.kind)
      + interface.methods.flatMap { [.structure($0.input), .structure($0.output)] }
    #expect(Set(kinds.flatMap(Self.names)) == Set(interface.types.map(\.name)))
  }

  private static func names(in kind: InterfaceText.Kind) -> [String] {
    switch kind {
    case .named(let name): [name]
    case .optional(let inner), .array(let inner), .map(let inner): names(in: inner)
    case .structure(let fields): fields.flatMap { names(in: $0.kind) }
    default: []
    }
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

  @Test func `a path is written with the fields of the description, in their order and of their types`() throws {
    for path in [Self.full, Self.bare] {
      var writer = JSONWriter()
      path.write(to: &writer)
      #expect(problem(with: try JSONValue(parsing: writer.bytes), as: .named("NetworkPath")) == nil)
    }
  }

  @Test func `the full path leaves no field null, the bare one every field that may be`() throws {
    var writer = JSONWriter()
    Self.full.write(to: &writer)
    #expect(!String(decoding: writer.bytes, as: UTF8.self).contains("null"))
    writer = JSONWriter()
    Self.bare.write(to: &writer)
    let value = try JSONValue(parsing: writer.bytes)
    for (kind, object) in [("NetworkPath", value), ("Interface", value["interfaces"]?.arrayValue?.first ?? nil)] {
      guard case .structure(let fields) = interface.resolve(.named(kind)) else { continue }
      for field in fields {
        guard case .optional = field.kind else { continue }
        #expect(object[field.name]?.isNull == true, "\(field.name)")
      }
    }
  }

  @Test func `each closed field has exactly the values of the description`() throws {
    guard case .structure(let fields) = interface.resolve(.named("NetworkPath")) else { return }
    let kinds = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.kind) })
    #expect(kinds["status"] == .choice(NetworkPath.Status.allCases.map(\.rawValue)))
    #expect(kinds["knowledge"] == .choice(NetworkPath.Knowledge.allCases.map(\.rawValue)))
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
      #expect(problem(with: .object(reply.parameters), as: declared.kind) == nil)
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
        #expect(problem(with: .object(reply.parameters), as: .structure(method.output)) == nil)
      }
    }
  }

  private func problem(with value: JSONValue, as kind: InterfaceText.Kind) -> String? {
    interface.problem(with: value, as: kind)
  }
}
