import Foundation
import KernelPath
import KernelTestSupport
import PathDecisions
import PathEngine
import PathModel
import SystemIO
import Testing
import Varlink

@testable import PathService

/// A service that listens at a real socket, on the thread of a test, in a namespace with a cable `eth0`, an address and
/// a default route.
final class ServiceStage: LoopStage {
  static let patience = Duration.seconds(60)
  static let cut = "route delete default via 192.0.2.1 dev eth0 metric 100"
  static let restore = "route add default via 192.0.2.1 dev eth0 metric 100"

  let namespace: TestNamespace
  let loop: EventLoop
  let directory: String
  private(set) var service: PathService
  private let configuration: PathService.Configuration
  private let listener: OwnedDescriptor

  /// The path of the service's socket.
  var socketPath: String { "\(directory)/socket" }
  /// The path of the file with the overrides.
  var overridesPath: String { "\(directory)/overrides.json" }

  /// Runs the body with a service, which is released afterwards.
  ///
  /// - Parameters:
  ///   - settle: The settle times of calls that name none.
  ///   - overridesPath: The file with the overrides; `nil` for a file of the stage's own.
  ///   - group: The group with the right to override; `nil` for the usual one.
  ///   - groupsPath: The file with the groups; `nil` for that of the system.
  static func run(
    settle: SettleTimes = .standard, overridesPath: String? = nil, group: String? = nil, groupsPath: String? = nil,
    _ body: @escaping @Sendable (ServiceStage) throws -> Void
  ) async throws {
    try await TestNamespace.run { namespace in
      var configuration = PathService.Configuration()
      configuration.settle = settle
      configuration.overridesPath = overridesPath
      if let group { configuration.overrideGroup = group }
      if let groupsPath { configuration.groupsPath = groupsPath }
      let stage = try ServiceStage(namespace, configuration)
      defer { stage.close() }
      try body(stage)
    }
  }

  private init(
    _ namespace: TestNamespace, _ givenConfiguration: PathService.Configuration
  ) throws {
    self.namespace = namespace
    directory = FileManager.default.temporaryDirectory.appending(path: "\(namespace.near)-service").path
    // Other users connect too.
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    try namespace.addCable("eth0")
    try namespace.ip("address add 192.0.2.2/24 dev eth0")
    try namespace.ip(Self.restore)
    try Data("nameserver 192.0.2.53\n".utf8).write(to: URL(fileURLWithPath: "\(directory)/resolv.conf"))
    var configuration = givenConfiguration
    configuration.reader.paths.resolver = "\(directory)/resolv.conf"
    configuration.reader.paths.upstreamResolver = "\(directory)/upstream.conf"
    configuration.overridesPath = configuration.overridesPath ?? "\(directory)/overrides.json"
    self.configuration = configuration
    loop = try EventLoop()
    listener = try UnixSocket.listen(at: "\(directory)/socket", mode: 0o666)
    service = try PathService(loop: loop, configuration: configuration)
    try service.listen(on: listener.number)
    let isUp = try run { service.engine.reader.evaluation.path.status == .satisfied }
    try #require(isUp, "the namespace has no path to begin with")
  }

  private func close() {
    service.stop()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Ends the service and starts another one, as a restart of the daemon does.
  func restart() throws {
    service.stop()
    service = try PathService(loop: loop, configuration: configuration)
    try service.listen(on: listener.number)
  }

  /// Has the service apply its configuration again, as a reload does.
  func reload() throws { try service.reconfigure(configuration) }

  /// Gives the second cable `eth1` an address, and a default route in table 100, for users whom a rule sends there.
  func addSecondWay() throws {
    try namespace.addCable("eth1")
    try namespace.ip("address add 192.0.3.2/24 dev eth1")
    try namespace.ip("route add default via 192.0.3.1 dev eth1 table 100")
    let isUp = try run { service.engine.reader.evaluation.path.interfaces.map(\.name) == ["eth0"] }
    try #require(isUp)
  }

  // MARK: Calls

  /// A new connection to the service.
  func connect() throws -> TestClient { try TestClient(self) }

  /// The service's reply to a call on a new connection.
  func call(_ method: PathMonitorInterface.Method, _ parameters: JSONObject = [:]) throws -> VarlinkReply {
    try connect().call(method, parameters)
  }

  /// The path that the service gives.
  func path(_ parameters: JSONObject = [:]) throws -> NetworkPath {
    try call(.getPath, parameters).path()
  }

  /// A number of `GetHealth`.
  func health(_ key: String) throws -> Int? {
    try call(.getHealth).parameters["health"]?[key]?.integerValue.map { Int($0) }
  }

  /// The notes of `GetHealth`.
  func notes() throws -> [String] {
    try call(.getHealth).parameters["notes"]?.arrayValue?.compactMap(\.stringValue) ?? []
  }
}
