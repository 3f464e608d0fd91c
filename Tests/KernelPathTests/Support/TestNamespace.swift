internal import Foundation
package import ProcessTestSupport
internal import Synchronization

/// Whether the tests may make network namespaces.
package let isRoot = mayMakeNamespaces
/// Why a test is skipped without root.
package let needsRoot = needsNamespaces

/// Two network namespaces of a test's own: the test lives in the near one, and cables lead to the far one.
package struct TestNamespace: Sendable {
  private static let count = Atomic(0)

  /// The namespace under test; `lo` is up in it.
  package let near: String
  /// The namespace with the other ends of the cables, `${NS}p` in the commands of cases.
  package let far: String

  /// Runs the body on a thread inside a new near namespace, and removes both namespaces afterwards.
  package static func run<Value: Sendable>(
    _ body: @escaping @Sendable (TestNamespace) throws -> Value
  ) async throws -> Value {
    let namespace = TestNamespace()
    let result: Result<Value, any Error>
    do {
      try await namespace.make()
      result = .success(
        try await Task(executorPreference: ThreadExecutor()) {
          try NetworkNamespace.inside(namespace.near) { try body(namespace) }
        }.value)
    } catch {
      result = .failure(error)
    }
    await namespace.remove()
    return try result.get()
  }

  private init() {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    near = "pmtest-\(ProcessInfo.processInfo.processIdentifier)-kernel\(number)"
    far = "\(near)p"
  }

  private func make() async throws {
    for name in [near, far] {
      try await RunningProgram.succeed(["ip", "netns", "add", name])
      try await RunningProgram.succeed(["ip", "-n", name, "link", "set", "lo", "up"])
    }
  }

  private func remove() async {
    for name in [near, far] { _ = try? await RunningProgram.run(["ip", "netns", "delete", name]) }
  }

  package func ip(_ command: String) throws {
    try RunningProgram.succeedBlocking(["ip", "-n", near] + command.split(separator: " ").map(String.init))
  }

  package func ipFar(_ command: String) throws {
    try RunningProgram.succeedBlocking(["ip", "-n", far] + command.split(separator: " ").map(String.init))
  }

  /// Runs many commands of `ip` at once; those that fail are passed over.
  ///
  /// - Parameter isIPv6: Whether IPv6 is the default family of the commands.
  package func batch(_ commands: [String], inFar: Bool = false, isIPv6: Bool = false) throws {
    let words = Self.batchWords(inFar ? far : near)
    _ = try RunningProgram.runBlocking(
      isIPv6 ? [words[0], "-6"] + words.dropFirst() : words, input: Self.lines(commands))
  }

  /// Starts many commands of `ip`, and does not wait for them.
  package func start(batch commands: [String], inFar: Bool = false) throws -> RunningProgram {
    try RunningProgram(Self.batchWords(inFar ? far : near), input: Self.lines(commands))
  }

  private static func batchWords(_ name: String) -> [String] { ["ip", "-n", name, "-batch", "-", "-force"] }

  private static func lines(_ commands: [String]) -> String { commands.joined(separator: "\n") + "\n" }

  package func setParameter(_ assignment: String) throws { try setParameters([assignment]) }

  package func setParameters(_ assignments: [String]) throws {
    try RunningProgram.succeedBlocking(["ip", "netns", "exec", near, "sysctl", "-qw"] + assignments)
  }

  /// Makes a cable between both namespaces with the same name at each end, both ends up. It has no address: a
  /// link-local one would be usable only after duplicate address detection.
  package func addCable(_ name: String) throws {
    try ip("link add \(name) type veth peer name \(name) netns \(far)")
    try ip("link set \(name) addrgenmode none")
    try ip("link set \(name) up")
    try ipFar("link set \(name) up")
  }
}
