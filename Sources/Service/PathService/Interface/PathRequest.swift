package import PathModel
package import Varlink

/// A decoded call of `io.pathmonitor.PathMonitor`.
package enum PathRequest: Equatable, Sendable {
  /// The path as it is now.
  case getPath(PathRequirement?)
  /// The path now and whenever it changes; `settle` is `nil` for the usual times.
  case watchPath(PathRequirement?, settle: Duration?)
  /// The first path that meets the requirement; `timeout` is `nil` for no limit.
  case waitForPath(PathRequirement, timeout: Duration?)
  /// All interfaces but loopback.
  case listInterfaces
  /// The path with the steps that lead to it.
  case explain(PathRequirement?)
  /// The path to an address.
  case getRoute(IPAddress)
  /// An override; `duration` is `nil` when it does not end by itself.
  case setOverride(field: String, value: String, interface: String?, duration: Duration?, why: String?)
  /// The removal of overrides.
  case clearOverride(field: String?, interface: String?)
  /// The validator's verdict on the path over the interface and routers.
  case reportValidation(interface: String, gateways: [IPAddress], begun: Int?, PathValidation, isHeld: Bool)
  /// Another verdict of the validator, soon.
  case renewValidation
  /// The health of the service.
  case getHealth

  /// Whether the call has an effect besides its reply.
  var changesSomething: Bool {
    switch self {
    case .setOverride, .clearOverride, .reportValidation, .renewValidation: true
    case .getPath, .watchPath, .waitForPath, .listInterfaces, .explain, .getRoute, .getHealth: false
    }
  }

  /// The longest settle time, an hour: a larger number is a slip of the pen.
  private static let longestSettle = 3_600_000
  /// The longest other time, a year.
  private static let longestTime = 31_557_600

  /// Decodes a call. Unknown parameters are ignored.
  ///
  /// - Throws: The error to reply with.
  package init(_ call: VarlinkCall) throws(VarlinkError) {
    guard let method = PathMonitorInterface.Method(fullName: call.method) else { throw .methodNotFound(call.method) }
    if call.wantsUpgrade { throw .methodNotImplemented(call.method) }
    let parameters = Parameters(call.parameters)
    switch method {
    case .getPath: self = .getPath(try parameters.requirement())
    case .watchPath:
      guard call.acceptsMore else { throw .expectedMore }
      let settle = try parameters.integer("settleMilliseconds", in: 0...Self.longestSettle)
      self = .watchPath(try parameters.requirement(), settle: settle.map { .milliseconds($0) })
    case .waitForPath:
      guard let requirement = try parameters.requirement() else {
        throw .invalidParameter("requirement", "the parameter \"requirement\" is missing; it must be a string")
      }
      let timeout = try parameters.integer("timeoutMilliseconds", in: 0...Self.longestTime * 1_000)
      self = .waitForPath(requirement, timeout: timeout.map { .milliseconds($0) })
    case .listInterfaces: self = .listInterfaces
    case .explain: self = .explain(try parameters.requirement())
    case .getRoute: self = .getRoute(try parameters.destination())
    case .setOverride:
      let seconds = try parameters.integer("seconds", in: 1...Self.longestTime)
      self = .setOverride(
        field: try parameters.requiredText("field"), value: try parameters.requiredText("value"),
        interface: try parameters.text("interface"), duration: seconds.map { .seconds($0) },
        why: try parameters.text("why"))
    case .clearOverride:
      self = .clearOverride(field: try parameters.text("field"), interface: try parameters.text("interface"))
    case .reportValidation:
      self = .reportValidation(
        interface: try parameters.requiredText("interface"), gateways: try parameters.addresses("gateways"),
        begun: try parameters.integer("begun", in: 0...Int.max), try parameters.validation("validation"),
        isHeld: call.acceptsMore)
    case .renewValidation: self = .renewValidation
    case .getHealth: self = .getHealth
    }
  }
}

/// The parameters of a call, read with the types that the interface declares.
private struct Parameters {
  private let object: JSONObject

  init(_ object: JSONObject) {
    self.object = object
  }

  func text(_ name: String) throws(VarlinkError) -> String? {
    guard let value = object[name], !value.isNull else { return nil }
    guard let text = value.stringValue else {
      throw .invalidParameter(name, "the parameter \"\(name)\" must be a string")
    }
    return text
  }

  func requiredText(_ name: String) throws(VarlinkError) -> String {
    guard let text = try text(name) else {
      throw .invalidParameter(name, "the parameter \"\(name)\" is missing; it must be a string")
    }
    return text
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(VarlinkError) -> Int? {
    guard let value = object[name], !value.isNull else { return nil }
    guard let number = value.integerValue, range.contains(Int(number)) else {
      throw .invalidParameter(
        name, "the parameter \"\(name)\" must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(number)
  }

  func addresses(_ name: String) throws(VarlinkError) -> [IPAddress] {
    let texts = object[name]?.arrayValue
    let addresses = texts?.prefix(PathValidation.reportLimit).compactMap { $0.stringValue.flatMap { IPAddress($0) } }
    guard let addresses, addresses.count == texts?.count else {
      throw .invalidParameter(
        name, "the parameter \"\(name)\" must be an array of at most \(PathValidation.reportLimit) addresses")
    }
    return addresses
  }

  func validation(_ name: String) throws(VarlinkError) -> PathValidation {
    do throws(PathDecodingError) {
      return try PathValidation(reported: object[name] ?? .null)
    } catch {
      throw .invalidParameter(name, "the parameter \"\(name)\" is not as it must be: \(error)")
    }
  }

  func requirement() throws(VarlinkError) -> PathRequirement? {
    guard let text = try text("requirement") else { return nil }
    do throws(PathRequirement.ParseError) {
      return try PathRequirement(text)
    } catch {
      throw .invalidRequirement(error)
    }
  }

  func destination() throws(VarlinkError) -> IPAddress {
    let text = try requiredText("destination")
    guard let address = IPAddress(unscoped: text), !address.isLinkLocal, !address.isUnspecified else {
      throw .invalidDestination(text)
    }
    return address
  }
}
