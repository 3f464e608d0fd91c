internal import Glibc
internal import Synchronization
internal import SystemIO

/// Whether tests may make network namespaces; `make quick` leaves these tests out.
package let mayMakeNamespaces = geteuid() == 0 && Environment.value("WITHOUT_NAMESPACES") == nil
/// Why a test is skipped without root.
package let needsNamespaces = "needs root for a network namespace of its own"

/// A network namespace of a test's own, `near`, with cables to another, `far`.
package final class TestNetwork: Sendable {
  private static let count = Atomic(0)

  package let near: String
  package let far: String

  /// Makes both, and removes them after the body.
  package static func with<Value: Sendable>(_ body: (TestNetwork) async throws -> Value) async throws -> Value {
    let network = TestNetwork()
    let result: Result<Value, any Error>
    do {
      for name in [network.near, network.far] {
        try await RunningProgram.succeed(["ip", "netns", "add", name])
        try await RunningProgram.succeed(["ip", "-n", name, "link", "set", "lo", "up"])
      }
      result = .success(try await body(network))
    } catch {
      result = .failure(error)
    }
    for name in [network.near, network.far] {
      _ = try? await RunningProgram.run(["ip", "netns", "delete", name])
    }
    return try result.get()
  }

  private init() {
    near = "pmtest-\(getpid())-process\(Self.count.add(1, ordering: .relaxed).newValue)"
    far = "\(near)-far"
  }

  /// Runs commands of `ip` in the near namespace.
  package func ip(_ commands: String...) async throws {
    for command in commands { try await RunningProgram.succeed(["ip", "-n", near] + Self.words(command)) }
  }

  /// Runs a command of `ip` in the far namespace.
  package func ipFar(_ command: String) async throws {
    try await RunningProgram.succeed(["ip", "-n", far] + Self.words(command))
  }

  private static func words(_ command: String) -> [String] { command.split(separator: " ").map(String.init) }

  /// Makes a cable between both namespaces, with an address in 192.0.2.0/24 or 198.51.100.0/24 at this end and the
  /// default route over it. It gets no link-local address, as that would be a change at some later time.
  package func connect(_ name: String = "eth0", network: String = "192.0.2", metric: Int = 100) async throws {
    try await ip(
      "link add \(name) type veth peer name \(name) netns \(far)", "link set \(name) addrgenmode none",
      "link set \(name) up")
    try await ipFar("link set \(name) up")
    try await ip(
      "address add \(network).2/24 dev \(name)", "route add default via \(network).1 dev \(name) metric \(metric)")
  }
}

extension RunningProgram {
  /// Runs a program that has to succeed.
  package static func succeed(_ words: [String]) async throws {
    try check(await run(words), words)
  }

  /// Runs a program that has to succeed, as ``runBlocking(_:environment:namespace:input:)`` does.
  package static func succeedBlocking(_ words: [String], input: String? = nil) throws {
    try check(runBlocking(words, input: input), words)
  }

  private static func check(_ outcome: Outcome, _ words: [String]) throws {
    guard outcome.status == 0 else {
      throw NothingCame(description: "\(words.joined(separator: " ")): \(outcome.status), \(outcome.complaints)")
    }
  }
}
