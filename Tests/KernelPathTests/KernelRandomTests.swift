import KernelPath
import KernelTestSupport
import PathModel
import PathTestSupport
import Testing

@Suite("Random changes", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct KernelRandomTests {
  private static let bursts = 100
  private static let operationsPerBurst = 20
  /// The kernel's link watch takes up to a second from one layer of links to the next.
  private static let patience = Duration.seconds(5)

  @Test(.timeLimit(.minutes(5)), arguments: [RandomOperations.seed])
  func `after random changes the kernel that follows equals a fresh one`(seed: UInt64) async throws {
    try await TestNamespace.run { namespace in
      var operations = RandomOperations(seed: seed)
      try namespace.batch(operations.preparation(in: namespace))
      let kernel = try Kernel(probes: .standard)
      var paths: Set<NetworkPath> = []
      for burst in 0..<Self.bursts {
        let far = (0..<3).map { _ in operations.nextFar(in: namespace) }
        let near = (3..<Self.operationsPerBurst).map { _ in operations.next(in: namespace) }
        try namespace.batch(far, inFar: true)
        try namespace.batch(near)
        guard let difference = try kernel.difference(fromFreshWithin: Self.patience) else {
          paths.insert(try kernel.evaluatedPath())
          continue
        }
        Issue.record("seed \(seed), burst \(burst): \(difference)\nAfter \(far)\n\(near.joined(separator: "\n"))")
        return
      }
      #expect(paths.count > 10, "the operations of seed \(seed) change too little to be worth anything")
    }
  }
}
