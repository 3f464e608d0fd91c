import PathModel
import Testing
import Varlink

@testable import PathService

@Suite("Understanding calls")
struct PathRequestTests {
  typealias Method = PathMonitorInterface.Method

  private static let wifi = try? PathRequirement("wifi")
  private static let address = IPAddress(ipv4: 0xc000_0201)
  private static let year: Int64 = 31_557_600

  static let accepted: [(method: Method, parameters: JSONObject, request: PathRequest)] =
    [
      (.getPath, [:], .getPath(nil)),
      (.getPath, ["requirement": nil], .getPath(nil)),
      (.getPath, ["requirement": "wifi"], .getPath(wifi)),
      (.getPath, ["requirement": "wifi", "flavour": 7, "settleMilliseconds": "x"], .getPath(wifi)),
      (.watchPath, [:], .watchPath(nil, settle: nil)),
      (.watchPath, ["requirement": nil, "settleMilliseconds": nil], .watchPath(nil, settle: nil)),
      (.watchPath, ["settleMilliseconds": 0], .watchPath(nil, settle: .zero)),
      (.watchPath, ["settleMilliseconds": 3_600_000], .watchPath(nil, settle: .seconds(3_600))),
      (
        .watchPath, ["settleMilliseconds": 50, "requirement": "wifi"], .watchPath(wifi, settle: .milliseconds(50))
      ),
      (.listInterfaces, [:], .listInterfaces),
      (.listInterfaces, ["requirement": 1], .listInterfaces),
      (.explain, [:], .explain(nil)),
      (.explain, ["requirement": "wifi"], .explain(wifi)),
      (.getRoute, ["destination": "192.0.2.1"], .getRoute(address)),
      (.getRoute, ["destination": "2001:db8::1"], .getRoute(IPAddress(ipv6: 0x2001_0db8_0000_0000, 1))),
      (.clearOverride, [:], .clearOverride(field: nil, interface: nil)),
      (.clearOverride, ["field": nil, "interface": nil], .clearOverride(field: nil, interface: nil)),
      (
        .clearOverride, ["field": "status", "interface": "eth0"], .clearOverride(field: "status", interface: "eth0")
      ),
      (.getHealth, [:], .getHealth), (.renewValidation, [:], .renewValidation),
      (
        .reportValidation, ["interface": "eth0", "gateways": ["192.0.2.1"], "validation": ["state": "portal"]],
        .reportValidation(
          interface: "eth0", gateways: [address], begun: nil, PathValidation(state: .portal), isHeld: false)
      ),
      (
        .reportValidation, ["interface": "eth0", "gateways": [], "begun": 7, "validation": ["state": "portal"]],
        .reportValidation(
          interface: "eth0", gateways: [], begun: 7, PathValidation(state: .portal), isHeld: false)
      ),
      (
        .setOverride, ["field": "status", "value": "unsatisfied"],
        .setOverride(field: "status", value: "unsatisfied", interface: nil, duration: nil, why: nil)
      ),
      (
        .setOverride, ["field": "status", "value": "x", "interface": nil, "seconds": nil, "why": nil],
        .setOverride(field: "status", value: "x", interface: nil, duration: nil, why: nil)
      ),
      (
        .setOverride, ["field": "a", "value": "b", "interface": "eth0", "seconds": 1, "why": "because"],
        .setOverride(field: "a", value: "b", interface: "eth0", duration: .seconds(1), why: "because")
      ),
      (
        .setOverride, ["field": "a", "value": "b", "seconds": .integer(year)],
        .setOverride(field: "a", value: "b", interface: nil, duration: .seconds(year), why: nil)
      ),
    ]
    + [
      (JSONObject(), Duration?.none), (["timeoutMilliseconds": nil], nil), (["timeoutMilliseconds": 0], .zero),
      (["timeoutMilliseconds": 1_500], .milliseconds(1_500)),
      (["timeoutMilliseconds": .integer(year * 1_000)], .seconds(year)),
    ].compactMap { times, timeout in
      var parameters = times
      parameters["requirement"] = "wifi"
      return wifi.map { (.waitForPath, parameters, .waitForPath($0, timeout: timeout)) }
    }

  @Test(arguments: accepted)
  func `a call with the right parameters is understood, and unknown parameters are ignored`(
    method: Method, parameters: JSONObject, request: PathRequest
  ) throws {
    let call = VarlinkCall(method.fullName, parameters, acceptsMore: method == .watchPath)
    #expect(try PathRequest(call) == request)
  }

  @Test func `every method is understood`() {
    #expect(Set(Self.accepted.map(\.method)) == Set(Method.allCases))
  }

  @Test(arguments: Method.allCases.filter { $0 != .watchPath && $0 != .reportValidation })
  func `a caller that accepts more replies than there will be is served`(method: Method) throws {
    for row in Self.accepted where row.method == method {
      #expect(try PathRequest(VarlinkCall(method.fullName, row.parameters, acceptsMore: true)) == row.request)
    }
  }

  @Test func `a verdict is held by a call that goes on`() throws {
    let parameters: JSONObject = ["interface": "eth0", "gateways": [], "validation": ["state": "portal"]]
    let call = VarlinkCall(Method.reportValidation.fullName, parameters, acceptsMore: true)
    let held = PathRequest.reportValidation(
      interface: "eth0", gateways: [], begun: nil, PathValidation(state: .portal), isHeld: true)
    #expect(try PathRequest(call) == held)
  }

  // MARK: Errors

  @Test(arguments: ["getPath", "GetPaths", "", "GetPath.GetPath", "GETPATH", "Get\u{301}Path"])
  func `an unknown method is named in the error`(name: String) {
    let method = "\(PathMonitorInterface.name).\(name)"
    #expect(throws: VarlinkError.methodNotFound(method)) { try PathRequest(VarlinkCall(method)) }
  }

  @Test(arguments: ["io.pathmonitor.Other.GetPath", "GetPath", "io.pathmonitor.PathMonitorGetPath"])
  func `another interface's method is unknown`(method: String) {
    #expect(throws: VarlinkError.methodNotFound(method)) { try PathRequest(VarlinkCall(method)) }
  }

  @Test func `to watch without accepting more than one reply is refused`() {
    #expect(throws: VarlinkError.expectedMore) { try PathRequest(VarlinkCall(Method.watchPath.fullName)) }
    #expect(VarlinkError.expectedMore.name == "org.varlink.service.ExpectedMore")
  }

  @Test(arguments: Method.allCases)
  func `no method leaves the protocol`(method: Method) {
    let parameters: JSONObject = ["requirement": "wifi", "destination": "192.0.2.1", "field": "a", "value": "b"]
    let call = VarlinkCall(method.fullName, parameters, acceptsMore: true, wantsUpgrade: true)
    #expect(throws: VarlinkError.methodNotImplemented(method.fullName)) { try PathRequest(call) }
  }

  private static let notStrings: [JSONValue] = [1, 1.5, true, [], [:], ["wifi"]]
  private static let notNumbers: [JSONValue] = ["1", 1.0, 1.5, false, [], [:], -1, .integer(.max), .integer(.min)]

  static let refused: [(method: Method, parameters: JSONObject, parameter: String, reason: String)] =
    [
      (.waitForPath, [:], "requirement", "the parameter \"requirement\" is missing; it must be a string"),
      (
        .waitForPath, ["requirement": nil], "requirement",
        "the parameter \"requirement\" is missing; it must be a string"
      ),
      (.getRoute, [:], "destination", "the parameter \"destination\" is missing; it must be a string"),
      (
        .getRoute, ["destination": nil], "destination", "the parameter \"destination\" is missing; it must be a string"
      ),
      (.setOverride, [:], "field", "the parameter \"field\" is missing; it must be a string"),
      (.setOverride, ["field": "status"], "value", "the parameter \"value\" is missing; it must be a string"),
      (
        .setOverride, ["field": "a", "value": "b", "seconds": 0], "seconds",
        "the parameter \"seconds\" must be a whole number from 1 to 31557600"
      ),
      (
        .setOverride, ["field": "a", "value": "b", "seconds": .integer(year + 1)], "seconds",
        "the parameter \"seconds\" must be a whole number from 1 to 31557600"
      ),
      (
        .watchPath, ["settleMilliseconds": 3_600_001], "settleMilliseconds",
        "the parameter \"settleMilliseconds\" must be a whole number from 0 to 3600000"
      ),
      (
        .waitForPath, ["requirement": "wifi", "timeoutMilliseconds": .integer(year * 1_000 + 1)],
        "timeoutMilliseconds", "the parameter \"timeoutMilliseconds\" must be a whole number from 0 to 31557600000"
      ),
    ]
    + ([nil, .null, "192.0.2.1", ["192.0.2.1", 1], .array(Array(repeating: "192.0.2.1", count: 65))] as [JSONValue?])
    .map { value in
      var parameters: JSONObject = ["interface": "eth0", "validation": ["state": "portal"]]
      if let value { parameters["gateways"] = value }
      return (
        .reportValidation, parameters, "gateways", "the parameter \"gateways\" must be an array of at most 64 addresses"
      )
    }
    + notStrings.flatMap { value in
      [
        (Method.getPath, "requirement", JSONObject()), (.watchPath, "requirement", [:]),
        (.waitForPath, "requirement", [:]), (.explain, "requirement", [:]), (.getRoute, "destination", [:]),
        (.setOverride, "field", ["value": "b"]), (.setOverride, "value", ["field": "a"]),
        (.setOverride, "interface", ["field": "a", "value": "b"]),
        (.setOverride, "why", ["field": "a", "value": "b"]), (.clearOverride, "field", [:]),
        (.clearOverride, "interface", [:]),
      ].map { wrong($0.0, $0.1, value, $0.2, "must be a string") }
    }
    + notNumbers.flatMap { value in
      [
        (Method.watchPath, "settleMilliseconds", JSONObject(), "0 to 3600000"),
        (.waitForPath, "timeoutMilliseconds", ["requirement": "wifi"], "0 to 31557600000"),
        (.setOverride, "seconds", ["field": "a", "value": "b"], "1 to 31557600"),
      ].map { wrong($0.0, $0.1, value, $0.2, "must be a whole number from \($0.3)") }
    }

  private static func wrong(
    _ method: Method, _ name: String, _ value: JSONValue, _ others: JSONObject, _ rule: String
  ) -> (method: Method, parameters: JSONObject, parameter: String, reason: String) {
    var parameters = others
    parameters[name] = value
    return (method, parameters, name, "the parameter \"\(name)\" \(rule)")
  }

  @Test(arguments: refused)
  func `a parameter that is missing, of another type or out of range is named with its right form`(
    method: Method, parameters: JSONObject, parameter: String, reason: String
  ) {
    #expect(throws: VarlinkError.invalidParameter(parameter, reason)) {
      try PathRequest(VarlinkCall(method.fullName, parameters, acceptsMore: true))
    }
  }

  @Test(arguments: [Method.getPath, .watchPath, .waitForPath, .explain])
  func `a requirement that cannot be read is returned with the place and the allowed words`(method: Method) throws {
    for text in ["wifi,wify", "", "type=", "interface=a/b", " wifi"] {
      let problem = try #require(throws: PathRequirement.ParseError.self) { try PathRequirement(text) }
      let error = VarlinkError(
        "io.pathmonitor.PathMonitor.InvalidRequirement",
        [
          "text": .string(text), "position": .integer(Int64(problem.position)),
          "allowed": .array(problem.allowed.map { .string($0) }),
        ])
      #expect(throws: error) {
        try PathRequest(VarlinkCall(method.fullName, ["requirement": .string(text)], acceptsMore: true))
      }
    }
  }

  @Test(arguments: [
    "", "example.org", "192.0.2", "192.0.2.1/24", "192.0.2.256", "2001:db8::1::", "fe80::1", "fe80::1%eth0",
    "169.254.1.1", " 192.0.2.1", "[2001:db8::1]", "192.0.2.1\u{0}",
  ])
  func `a destination that is no address, or one on a link, is returned`(text: String) {
    let error = VarlinkError(
      "io.pathmonitor.PathMonitor.InvalidDestination", ["destination": .string(text)])
    #expect(throws: error) { try PathRequest(VarlinkCall(Method.getRoute.fullName, ["destination": .string(text)])) }
  }
}
