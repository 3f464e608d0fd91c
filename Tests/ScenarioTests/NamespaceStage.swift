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

  private let commands: ScenarioCommands

  private init() {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    let name = "pmtest-\(ProcessInfo.processInfo.processIdentifier)-\(number)"
    commands = ScenarioCommands(near: name, far: name + "-far")
  }

  /// Plays a scenario on a thread of its own, which alone moves into the namespace.
  static func play(_ scenario: Scenario) async -> [Complaint] {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: NamespaceStage().play(scenario)) }.start()
    }
  }

  private func play(_ scenario: Scenario) -> [Complaint] {
    defer { for command in commands.cleanUp { try? RunningProgram.succeedBlocking(command) } }
    do {
      for command in commands.preparation { try RunningProgram.succeedBlocking(command) }
      return try NetworkNamespace.inside(commands.near) { try perform(scenario, Kernel(probes: .standard)) }
    } catch {
      return [Complaint(description: "\(error)")]
    }
  }

  private func perform(_ scenario: Scenario, _ kernel: Kernel) throws -> [Complaint] {
    var complaints: [Complaint] = []
    var before: Expectation?
    var messages = 0
    var fake = FakeKernel()
    for (number, step) in scenario.steps.enumerated() {
      fake.apply(step)
      for command in commands.commands(for: step) { try RunningProgram.succeedBlocking(command) }
      guard case .expect(let expected) = step else { continue }
      let seen = try watch(kernel, for: expected, after: before, &messages)
      if seen != expected {
        complaints.append(Complaint(description: "step \(number): expected \(expected), saw \(seen)"))
      } else if before != nil, before != seen, messages == 0 {
        complaints.append(Complaint(description: "step \(number): \(seen) came without any message"))
      } else {
        complaints += try Self.compare(kernel, with: &fake).map { Complaint(description: "step \(number): \($0)") }
      }
      before = seen
      messages = 0
    }
    if Expectation(of: try Self.evaluate(kernel)) != before {
      complaints.append(Complaint(description: "the path did not rest"))
    }
    return complaints + verify(kernel)
  }

  /// Evaluates at each message until the path is as expected or the time is over; returns the last path. A change must
  /// come with a message. The kernel may answer otherwise a moment before it sends that.
  private func watch(
    _ kernel: Kernel, for expected: Expectation, after before: Expectation?, _ messages: inout Int
  ) throws -> Expectation {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      messages += try kernel.drain().messages
      let seen = Expectation(of: try Self.evaluate(kernel))
      let rest = ContinuousClock.now.duration(to: deadline)
      let isTold = messages > 0 || before == nil || before == seen
      if seen == expected && isTold || rest <= .zero { return seen }
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
      fake.resolver = kernel.resolver
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
