internal import Foundation
internal import Synchronization

/// Two network namespaces of a test's own: the test lives in the near one, and cables lead to the far one.
package struct TestNamespace: Sendable {
  /// Why a command did not do what a test relies on.
  package struct CommandFailure: Error, CustomStringConvertible {
    package var description: String
  }

  private static let count = Atomic(0)

  /// The namespace that is looked at; `lo` is up in it.
  package let near: String
  /// The namespace with the other ends of the cables.
  package let far: String

  /// Runs the body on a thread inside a new near namespace, and removes both namespaces afterwards.
  package static func run<Value: Sendable>(
    _ body: @escaping @Sendable (TestNamespace) throws -> Value
  ) async throws -> Value {
    let namespace = TestNamespace()
    defer { namespace.remove() }
    try namespace.make()
    return try await Task(executorPreference: NamespaceExecutor(namespace.near)) { try body(namespace) }.value
  }

  private init() {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    near = "pmtest-\(ProcessInfo.processInfo.processIdentifier)-kernel\(number)"
    far = "\(near)-far"
  }

  private func make() throws {
    for name in [near, far] {
      try Self.run(["netns", "add", name])
      try Self.run(["-n", name, "link", "set", "lo", "up"])
    }
  }

  private func remove() {
    for name in [near, far] { try? Self.run(["netns", "delete", name]) }
  }

  /// Runs `ip` with these words in the near namespace.
  package func ip(_ command: String) throws {
    try Self.run(["-n", near] + command.split(separator: " ").map(String.init))
  }

  /// Runs `ip` with these words in the far namespace.
  package func ipFar(_ command: String) throws {
    try Self.run(["-n", far] + command.split(separator: " ").map(String.init))
  }

  /// Runs many commands of `ip` at once; those that fail are passed over.
  package func batch(_ commands: [String], inFar: Bool = false) throws {
    let text = commands.joined(separator: "\n") + "\n"
    try? Self.run(["-n", inFar ? far : near, "-batch", "-", "-force"], input: text)
  }

  /// Starts many commands of `ip`, and does not wait for them.
  package func start(batch commands: [String], inFar: Bool = false) throws -> RunningCommands {
    let (process, _) = try Self.launch(
      ["-n", inFar ? far : near, "-batch", "-", "-force"], input: commands.joined(separator: "\n") + "\n")
    return RunningCommands(process)
  }

  /// Sets a kernel parameter in the near namespace.
  package func setParameter(_ assignment: String) throws {
    try Self.run(["netns", "exec", near, "sysctl", "-qw", assignment])
  }

  /// Makes a cable between both namespaces with the same name at each end, both ends up.
  package func addCable(_ name: String) throws {
    try ip("link add \(name) type veth peer name \(name) netns \(far)")
    try ip("link set \(name) up")
    try ipFar("link set \(name) up")
  }

  private static func run(_ arguments: [String], input: String? = nil) throws {
    let (process, errors) = try launch(arguments, input: input)
    let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CommandFailure(description: "ip \(arguments.joined(separator: " ")): \(complaint)")
    }
  }

  private static func launch(_ arguments: [String], input: String?) throws -> (Process, errors: Pipe) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["ip"] + arguments
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    let text = Pipe()
    process.standardInput = input == nil ? FileHandle.nullDevice : text
    try process.run()
    if let input {
      try text.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try text.fileHandleForWriting.close()
    }
    return (process, errors)
  }
}

/// Commands that may still run.
package struct RunningCommands {
  private let process: Process

  fileprivate init(_ process: Process) {
    self.process = process
  }

  package var isRunning: Bool { process.isRunning }
}
