import Foundation
import KernelPath
import KernelTestSupport
import PathDecisions
import PathModel
import SystemIO
import Testing

@testable import PathEngine

/// An engine and its loop, on the thread of a test, in a namespace with a cable `eth0`, an address and a default route.
final class EngineStage: LoopStage {
  static let patience = Duration.seconds(5)

  let namespace: TestNamespace
  let loop: EventLoop
  let engine: PathEngine
  let directory: String
  var resolverPath: String { "\(directory)/resolv.conf" }

  /// Runs the body with an engine, which is released afterwards.
  static func run(
    receiveBuffer: Int32 = 2 << 20, _ body: @escaping @Sendable (EngineStage) throws -> Void
  ) async throws {
    try await TestNamespace.run { namespace in
      let stage = try EngineStage(namespace, receiveBuffer)
      defer { stage.close() }
      try body(stage)
    }
  }

  private init(_ namespace: TestNamespace, _ receiveBuffer: Int32) throws {
    self.namespace = namespace
    directory = FileManager.default.temporaryDirectory.appending(path: namespace.near).path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try namespace.addCable("eth0")
    try namespace.ip("address add 192.0.2.2/24 dev eth0")
    try namespace.ip("route add default via 192.0.2.1 dev eth0 metric 100")
    try Data("nameserver 192.0.2.53\n".utf8).write(to: URL(fileURLWithPath: "\(directory)/resolv.conf"))
    var configuration = PathReader.Configuration()
    configuration.receiveBuffer = receiveBuffer
    configuration.paths.resolver = "\(directory)/resolv.conf"
    configuration.paths.upstreamResolver = "\(directory)/upstream.conf"
    configuration.paths.leases = directory
    loop = try EventLoop()
    engine = try PathEngine(loop: loop, configuration: configuration)
    let isUp = try run { engine.reader.evaluation.path.status == .satisfied }
    try #require(isUp, "the namespace has no path to begin with")
  }

  private func close() {
    engine.stop()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Writes a lease of dhclient, with or without the hint of a metered network, and with an address for the sign-in.
  func writeLease(_ interface: String, _ address: String, isMetered: Bool, portal: String = "") throws {
    try FileManager.default.createDirectory(atPath: "\(directory)/var/lib/dhclient", withIntermediateDirectories: true)
    let hint =
      (isMetered ? "option vendor-encapsulated-options \"ANDROID_METERED\";\n  " : "")
      + (portal.isEmpty ? "" : "option default-url \"\(portal)\";")
    let text = "lease {\n  interface \"\(interface)\";\n  fixed-address \(address);\n  \(hint)\n}\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/var/lib/dhclient/dhclient.leases"))
  }

  func subscribe(_ times: SettleTimes) -> Collector {
    let collector = Collector()
    collector.subscription = engine.subscribe(times, collector.receive)
    return collector
  }

  func subscribe(user: UInt32) throws -> Collector {
    let collector = Collector()
    collector.subscription = try engine.subscribe(StreamParameters(.immediate), user: user) { update in
      collector.updates.append(update)
      collector.receive(update.path)
    }
    return collector
  }

  /// The path of a kernel that has just started.
  func kernelPath() throws -> NetworkPath {
    try freshKernel().evaluatedPath(after: engine.reader.formerCarriers)
  }

  func freshKernel() throws -> Kernel {
    let configuration = engine.reader.configuration
    return try Kernel(probes: configuration.probes, receiveBuffer: nil, paths: configuration.paths)
  }

  final class Collector {
    fileprivate(set) var paths: [NetworkPath] = []
    /// The updates with these paths, which subscribers of a class share.
    fileprivate(set) var updates: [PathUpdate] = []
    fileprivate(set) var subscription: PathEngine.Subscription?
    var whenReceived: (NetworkPath) -> Void = { _ in }

    /// The first interface of each path.
    var ways: [String] { paths.map { $0.interfaces.first?.name ?? "none" } }

    /// The pairs of equal neighbours; there must be none.
    var repetitions: [NetworkPath] {
      zip(paths, paths.dropFirst()).filter { $0 == $1 }.map(\.1)
    }

    fileprivate func receive(_ path: NetworkPath) {
      paths.append(path)
      whenReceived(path)
    }
  }
}
