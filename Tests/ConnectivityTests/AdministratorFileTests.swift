import Connectivity
import Dispatch
import Foundation
import KernelTestSupport
import PathModel
import ProcessTestSupport
import Testing

/// Overrides that an administrator sets at the service also hold, with every change, in a process that asks the kernel
/// itself.
@Suite("Overrides without the service")
struct AdministratorFileTests {
  private func connect(_ namespace: TestNamespace) throws {
    try namespace.addCable("eth0")
    try namespace.ip("address add 192.0.2.2/24 dev eth0")
    try namespace.ip("route add default via 192.0.2.1 dev eth0")
  }

  private func constrained() throws -> PathOverride {
    try PathOverride(
      field: PathOverride.Field(name: "isConstrained"), value: "true", interface: nil, expires: nil, user: 0,
      why: "a test", setAt: 0)
  }

  private func write(_ overrides: [PathOverride], to path: String, inPlace: Bool = false) throws {
    var table = OverrideTable()
    for override in overrides { try table.set(override) }
    var writer = JSONWriter()
    OverrideFile(bootID: nil, table: table).write(to: &writer)
    try Data(writer.bytes).write(to: URL(fileURLWithPath: path), options: inPlace ? [] : .atomic)
  }

  @Test(.enabled(if: isRoot, Comment(rawValue: needsRoot)))
  func `a running monitor follows the overrides, and reports a file that it cannot read`() async throws {
    let directory = try ScratchDirectory()
    let file = directory("socket.overrides")
    try await TestNamespace.run { namespace in
      try connect(namespace)
      let recorder = PathRecorder()
      // A socket of its own, so that this monitor's thread is made here, in the namespace.
      let monitor = PathMonitor(source: PathSource(.automatic(socketPath: directory("socket"))), settle: .zero)
      monitor.pathUpdateHandler = { recorder.add($0) }
      monitor.start(queue: DispatchQueue(label: "handler"))
      #expect(recorder.next { $0.status == .satisfied && !$0.isConstrained } != nil)
      try self.write([constrained()], to: file)
      #expect(recorder.next(where: \.isConstrained)?.overrides == [#"constrained, set by root ("a test")"#])
      #expect(monitor.sourceError == nil)
      try directory.write("socket.overrides", "nonsense")
      let deadline = Date().addingTimeInterval(10)
      while monitor.sourceError == nil, Date() < deadline { usleep(10_000) }
      #expect(monitor.sourceError?.code == .invalidConfiguration)
      #expect(monitor.sourceError?.message.contains("overrides stay as they were") == true)
      #expect(monitor.currentPath.isConstrained)
      try self.write([], to: file)
      #expect(recorder.next { !$0.isConstrained } != nil)
      while monitor.sourceError != nil, Date() < deadline { usleep(10_000) }
      #expect(monitor.sourceError == nil)
      monitor.cancel()
    }
  }

  @Test(.enabled(if: isRoot, Comment(rawValue: needsRoot)))
  func `a change of the files does not hide an error of the service`() async throws {
    let directory = try ScratchDirectory()
    // A change through a second name of the file is no event in the directory of the socket. Such an event would make
    // the monitor ask the service again.
    let elsewhere = try ScratchDirectory()
    let file = elsewhere("overrides")
    try elsewhere.write("overrides", "nonsense")
    try FileManager.default.linkItem(atPath: file, toPath: directory("socket.overrides"))
    let server = try Python.service(at: directory("socket"), ["{}"])
    try await server.output.wait(lineWith: "ready")
    try await TestNamespace.run { namespace in
      try connect(namespace)
      let recorder = PathRecorder()
      let monitor = PathMonitor(source: automatic(at: directory("socket")), settle: .zero)
      monitor.pathUpdateHandler = { recorder.add($0) }
      monitor.start(queue: DispatchQueue(label: "handler"))
      #expect(recorder.next { $0.status == .satisfied } != nil)
      #expect(monitor.sourceError?.code == .protocolMismatch, "\(monitor.sourceError as Any)")
      // The monitor asks the service every few seconds now.
      let deadline = Date().addingTimeInterval(10)
      while server.output.lines.count < 7, Date() < deadline { usleep(10_000) }
      try self.write([constrained()], to: file, inPlace: true)
      #expect(recorder.next(where: \.isConstrained) != nil)
      try self.write([], to: file, inPlace: true)
      #expect(recorder.next { !$0.isConstrained } != nil)
      #expect(monitor.sourceError?.code == .protocolMismatch, "\(monitor.sourceError as Any)")
      monitor.cancel()
    }
    server.kill()
  }
}
