import KernelPath
import KernelTestSupport
import PathDecisions
import PathModel
import PathTestSupport
import ProcessTestSupport
import Testing

@Suite("Scenarios on the real kernel", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct RealKernelScenarioTests {
  @Test(arguments: ScenarioTable.all)
  func `the path meets the expectation of each step, and every change of it comes with a message`(
    _ scenario: PathCase
  ) async throws {
    try await TestNamespace.run { namespace in
      // Nothing waits for address collisions, and no router changes the routes.
      try namespace.setParameters(
        ["all", "default"].flatMap { name in ["dad=0", "ra=0"].map { "net.ipv6.conf.\(name).accept_\($0)" } })
      var stage = Stage(kernel: try Kernel(probes: .standard), namespace: namespace.near)
      for (number, step) in scenario.steps.enumerated() { try stage.play(step, number) }
      try stage.rest()
    }
  }
}

/// The real kernel in a namespace, and beside it the kernel in memory with the same network.
private struct Stage {
  /// Far longer than the kernel takes from a change to its last message, for which its link watch waits up to 1 s.
  private static let patience = Duration.seconds(20)

  let kernel: Kernel
  /// The namespace, `NS` in the commands of the scenario.
  let namespace: String
  private var network = MemoryNetwork()
  private var before: String?

  init(kernel: Kernel, namespace: String) { (self.kernel, self.namespace) = (kernel, namespace) }

  mutating func play(_ step: PathCase.Step, _ number: Int) throws {
    for item in step.items { try network.perform(item) }
    for line in step.commands where !NetworkCommands.beginning.contains(line) {
      try RunningProgram.succeedBlocking(["env", "NS=\(namespace)", "bash", "-c", line])
    }
    var (path, messages) = (NetworkPath.unknown, 0)
    var differences: [String] = []
    // The kernel may answer otherwise a moment before it sends the message about a change.
    _ = try becomes {
      messages += try kernel.drain().messages
      path = try kernel.evaluatedPath()
      differences = try PathExpectation.differences(between: step.expected, and: path)
      return differences.isEmpty && isAnnounced(path, by: messages)
    }
    #expect(differences.isEmpty, "step \(number)")
    #expect(isAnnounced(path, by: messages), "step \(number): \(path) came without any message")
    before = Self.essence(of: path)
    try compareAnswers("step \(number)")
  }

  /// Whether a message has announced the path, or none had to.
  private func isAnnounced(_ path: NetworkPath, by messages: Int) -> Bool {
    messages > 0 || before == nil || before == Self.essence(of: path)
  }

  /// Expects that the path rests, and that links and addresses from the messages equal those of a fresh reading.
  func rest() throws {
    #expect(Self.essence(of: try kernel.evaluatedPath()) == before)
    let isEqual = try becomes {
      _ = try kernel.drain()
      let fresh = try Kernel(probes: .standard).state
      _ = try kernel.drain()
      return kernel.state == fresh
    }
    #expect(isEqual, "links and addresses drifted: \(kernel.state)")
  }

  /// The kernel in memory has to give the same answers, not only the same path, once all is quiet. Its hash and its
  /// name servers are those of the real one, which differ from machine to machine.
  private mutating func compareAnswers(_ moment: String) throws {
    var differences: [String] = []
    _ = try becomes {
      _ = try kernel.drain()
      var view = kernel
      let real = try PathEvaluator.evaluate(&view, probes: .standard)
      network.kernel.resolver = kernel.situation.resolver
      network.kernel.hashedInterfaces = AnswerComparison.interfacesOfUnboundSockets(real)
      differences = AnswerComparison.differences(real, try network.kernel.evaluate())
      return differences.isEmpty
    }
    #expect(differences.isEmpty, "\(moment), in memory")
  }

  private func becomes(_ condition: () throws -> Bool) throws -> Bool {
    try becomesTrue(within: Self.patience, watching: kernel.eventDescriptor, condition)
  }

  /// The values of a path that a scenario compares.
  private static func essence(of path: NetworkPath) -> String {
    let names = path.interfaces.map(\.name)
    let type = path.interfaceType?.rawValue ?? path.unsatisfiedReason?.rawValue ?? ""
    return "\(path.status.rawValue) \(type) \(path.supportsIPv4) \(path.supportsIPv6) \(path.usesTunnel) over \(names) "
      + "via \(path.gateways)"
  }
}
