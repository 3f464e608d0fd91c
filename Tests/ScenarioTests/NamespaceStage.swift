import Foundation
import KernelPath
import PathDecisions
import PathModel
import PathTestSupport
import ProcessTestSupport
import Synchronization

/// Plays scenarios on the real kernel, in a pair of network namespaces that live as long as the play.
struct NamespaceStage {
  /// A failed expectation of a play.
  struct Complaint: Error, CustomStringConvertible {
    var description: String
  }

  private static let count = Atomic(0)
  /// Far longer than the kernel takes from a change to its last message, for which its link watch waits up to 1 s.
  private static let patience = Duration.seconds(20)

  /// The namespace, `NS` in the commands of the scenario.
  private let namespace: String

  private init() {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    namespace = "pmtest-\(ProcessInfo.processInfo.processIdentifier)-\(number)"
  }

  /// Runs a line in bash.
  private func shell(_ line: String) throws {
    try RunningProgram.succeedBlocking(["env", "NS=\(namespace)", "bash", "-c", line])
  }

  /// Plays a scenario on a thread of its own, which alone moves into the namespace.
  static func play(_ scenario: PathCase) async -> [Complaint] {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: NamespaceStage().play(scenario)) }.start()
    }
  }

  private func play(_ scenario: PathCase) -> [Complaint] {
    defer { try? shell("ip netns delete $NS; ip netns delete ${NS}p") }
    do {
      try shell("ip netns add $NS")
      // Nothing waits for address collisions, and no router changes the routes.
      for name in ["all", "default"] {
        let settings = ["accept_dad=0", "accept_ra=0"].map { "net.ipv6.conf.\(name).\($0)" }.joined(separator: " ")
        try shell("ip netns exec $NS sysctl -qw \(settings)")
      }
      return try NetworkNamespace.inside(namespace) { try perform(scenario, Kernel(probes: .standard)) }
    } catch {
      return [Complaint(description: "\(error)")]
    }
  }

  private func perform(_ scenario: PathCase, _ kernel: Kernel) throws -> [Complaint] {
    var complaints: [Complaint] = []
    var before: String?
    var messages = 0
    var network = MemoryNetwork(isBare: scenario.isBare)
    for (number, step) in scenario.steps.enumerated() {
      for item in step.items { try network.perform(item) }
      for line in step.commands { try shell(line) }
      let path = try watch(kernel, for: step.expected, after: before, &messages)
      let differences = try PathExpectation.differences(between: step.expected, and: path)
      let seen = Self.essence(of: path)
      if !differences.isEmpty {
        complaints.append(Complaint(description: "step \(number): \(differences)"))
      } else if before != nil, before != seen, messages == 0 {
        complaints.append(Complaint(description: "step \(number): \(seen) came without any message"))
      } else {
        complaints += try Self.compare(kernel, with: &network.kernel)
          .map { Complaint(description: "step \(number): \($0)") }
      }
      before = seen
      messages = 0
    }
    if Self.essence(of: try Self.evaluate(kernel)) != before {
      complaints.append(Complaint(description: "the path did not rest"))
    }
    return complaints + verify(kernel)
  }

  /// The values of a path that a scenario compares.
  private static func essence(of path: NetworkPath) -> String {
    let names = path.interfaces.map(\.name)
    let type = path.interfaceType?.rawValue ?? path.unsatisfiedReason?.rawValue ?? ""
    return "\(path.status.rawValue) \(type) \(path.supportsIPv4) \(path.supportsIPv6) \(path.usesTunnel) over \(names) "
      + "via \(path.gateways)"
  }

  /// Evaluates at each message until the path is as expected or the time is over; returns the last path. A change must
  /// come with a message. The kernel may answer otherwise a moment before it sends that.
  private func watch(
    _ kernel: Kernel, for expected: JSONObject, after before: String?, _ messages: inout Int
  ) throws -> NetworkPath {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      messages += try kernel.drain().messages
      let path = try Self.evaluate(kernel)
      let rest = ContinuousClock.now.duration(to: deadline)
      let isTold = messages > 0 || before == nil || before == Self.essence(of: path)
      let isExpected = try PathExpectation.differences(between: expected, and: path).isEmpty
      if isExpected && isTold || rest <= .zero { return path }
      Self.waitForMessage(kernel, atMost: rest)
    }
  }

  /// Links and addresses from the messages must equal those of a fresh reading.
  private func verify(_ kernel: Kernel) -> [Complaint] {
    let deadline = ContinuousClock.now + Self.patience
    do {
      while true {
        _ = try kernel.drain()
        let fresh = try Kernel(probes: .standard).state
        _ = try kernel.drain()
        if kernel.state == fresh { return [] }
        let rest = ContinuousClock.now.duration(to: deadline)
        guard rest > .zero else {
          return [Complaint(description: "links and addresses drifted: \(kernel.state), afresh \(fresh)")]
        }
        Self.waitForMessage(kernel, atMost: min(rest, .milliseconds(50)))
      }
    } catch {
      return [Complaint(description: "\(error)")]
    }
  }

  /// The kernel in memory has to give the same answers, not only the same path, once all is quiet. Its hash and its
  /// name servers are those of the real one, which differ from machine to machine.
  private static func compare(_ kernel: Kernel, with fake: inout FakeKernel) throws -> [String] {
    let deadline = ContinuousClock.now + patience
    while true {
      _ = try kernel.drain()
      var view = kernel
      let real = try PathEvaluator.evaluate(&view, probes: .standard)
      fake.resolver = kernel.situation.resolver
      fake.hashedInterfaces = AnswerComparison.interfacesOfUnboundSockets(real)
      let differences = AnswerComparison.differences(real, try fake.evaluate())
      let rest = ContinuousClock.now.duration(to: deadline)
      if differences.isEmpty || rest <= .zero { return differences }
      waitForMessage(kernel, atMost: rest)
    }
  }

  private static func evaluate(_ kernel: Kernel) throws -> NetworkPath {
    var view = kernel
    return try PathEvaluator.evaluate(&view, probes: .standard).path
  }

  private static func waitForMessage(_ kernel: Kernel, atMost time: Duration) {
    var watched = pollfd(fd: kernel.eventDescriptor ?? -1, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&watched, 1, Int32(time / .milliseconds(1)) + 1)
  }
}
