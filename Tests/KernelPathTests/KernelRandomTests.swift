import KernelPath
import KernelTestSupport
import PathModel
import PathTestSupport
import Testing

@Suite("Random changes", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct KernelRandomTests {
  private static let bursts = 100
  private static let operationsPerBurst = 20

  @Test(.timeLimit(.minutes(5)), arguments: [UInt64.random(in: 0..<1_000_000)])
  func `whatever happens, the kernel that follows has what a fresh one has`(seed: UInt64) async throws {
    try await TestNamespace.run { namespace in
      var operations = RandomOperations(seed: seed)
      try namespace.batch(operations.preparation(in: namespace))
      let kernel = try Kernel(probes: .standard)
      for burst in 0..<Self.bursts {
        let far = (0..<3).map { _ in operations.nextFar(in: namespace) }
        let near = (3..<Self.operationsPerBurst).map { _ in operations.next(in: namespace) }
        try namespace.batch(far, inFar: true)
        try namespace.batch(near)
        guard let difference = try kernel.difference(fromFreshWithin: .seconds(2)) else { continue }
        Issue.record("seed \(seed), burst \(burst): \(difference)\nAfter \(far)\n\(near.joined(separator: "\n"))")
        return
      }
    }
  }
}
