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

  private static func override(
    _ field: String, _ value: String, interface: String? = nil, for duration: Duration? = nil, why: String? = nil
  ) -> PathRequest {
    .setOverride(field: field, value: value, interface: interface, duration: duration, why: why)
  }
  private static func report(
    _ gateways: [IPAddress] = [], begun: Int? = nil, isHeld: Bool = false
  ) -> PathRequest {
    .reportValidation(
      interface: "eth0", gateways: gateways, begun: begun, PathValidation(state: .portal), isHeld: isHeld)
  }
  private static func reported(_ gateways: JSONValue?, begun: JSONValue? = nil) -> JSONObject {
    var parameters: JSONObject = ["interface": "eth0", "validation": ["state": "portal"]]
    if let gateways { parameters["gateways"] = gateways }
    if let begun { parameters["begun"] = begun }
    return parameters
  }

  static let accepted: [(method: Method, parameters: JSONObject, request: PathRequest)] =
    [
      (.getPath, [:], .getPath(nil)), (.getPath, ["requirement": nil], .getPath(nil)),
      (.getPath, ["requirement": "wifi", "flavour": 7, "settleMilliseconds": "x"], .getPath(wifi)),
      (.watchPath, [:], .watchPath(nil, settle: nil)),
      (.watchPath, ["requirement": nil, "settleMilliseconds": nil], .watchPath(nil, settle: nil)),
      (.watchPath, ["settleMilliseconds": 0], .watchPath(nil, settle: .zero)),
      (.watchPath, ["settleMilliseconds": 3_600_000], .watchPath(nil, settle: .seconds(3_600))),
      (.watchPath, ["settleMilliseconds": 50, "requirement": "wifi"], .watchPath(wifi, settle: .milliseconds(50))),
      (.listInterfaces, [:], .listInterfaces), (.listInterfaces, ["requirement": 1], .listInterfaces),
      (.explain, [:], .explain(nil)), (.explain, ["requirement": "wifi"], .explain(wifi)),
      (.getRoute, ["destination": "192.0.2.1"], .getRoute(address)),
      (.getRoute, ["destination": "2001:db8::1"], .getRoute(IPAddress(ipv6: 0x2001_0db8_0000_0000, 1))),
      (.clearOverride, [:], .clearOverride(field: nil, interface: nil)),
      (.clearOverride, ["field": nil, "interface": nil], .clearOverride(field: nil, interface: nil)),
      (.clearOverride, ["field": "status", "interface": "eth0"], .clearOverride(field: "status", interface: "eth0")),
      (.getHealth, [:], .getHealth), (.renewValidation, [:], .renewValidation),
      (.reportValidation, reported(["192.0.2.1"]), report([address])),
      (.reportValidation, reported([], begun: 7), report(begun: 7)),
      (.setOverride, ["field": "status", "value": "unsatisfied"], override("status", "unsatisfied")),
      (
        .setOverride, ["field": "status", "value": "x", "interface": nil, "seconds": nil, "why": nil],
        override("status", "x")
      ),
      (
        .setOverride, ["field": "a", "value": "b", "interface": "eth0", "seconds": 1, "why": "because"],
        override("a", "b", interface: "eth0", for: .seconds(1), why: "because")
      ),
      (.setOverride, ["field": "a", "value": "b", "seconds": .integer(year)], override("a", "b", for: .seconds(year))),
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
    let call = VarlinkCall(Method.reportValidation.fullName, Self.reported([]), acceptsMore: true)
    #expect(try PathRequest(call) == Self.report(isHeld: true))
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
      (Method.waitForPath, JSONObject(), "requirement"), (.waitForPath, ["requirement": nil], "requirement"),
      (.getRoute, [:], "destination"), (.getRoute, ["destination": nil], "destination"), (.setOverride, [:], "field"),
      (.setOverride, ["field": "status"], "value"),
    ].map { ($0.0, $0.1, $0.2, "the parameter \"\($0.2)\" is missing; it must be a string") }
    + ([nil, .null, "192.0.2.1", ["192.0.2.1", 1], .array(Array(repeating: "192.0.2.1", count: 65))] as [JSONValue?])
    .map { value in
      (
        .reportValidation, reported(value), "gateways",
        "the parameter \"gateways\" must be an array of at most 64 addresses"
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
    + [
      (Method.watchPath, "settleMilliseconds", JSONObject(), 0, 3_600_000),
      (.waitForPath, "timeoutMilliseconds", ["requirement": "wifi"], 0, year * 1_000),
      (.setOverride, "seconds", ["field": "a", "value": "b"], 1, year),
    ].flatMap { method, name, others, least, most in
      (notNumbers + [.integer(least - 1), .integer(most + 1)]).map { value in
        wrong(method, name, value, others, "must be a whole number from \(least) to \(most)")
      }
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
