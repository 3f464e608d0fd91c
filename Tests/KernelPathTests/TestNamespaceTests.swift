import Foundation
import KernelTestSupport
import Testing

@Suite("The namespace of a test", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct TestNamespaceTests {
  @Test func `no thread of the process stays in it`() async {
    await #expect(processExitsWith: .success) {
      // Meanwhile the shared threads of tasks end, after five seconds without work. The end of the task makes another
      // thread.
      try await TestNamespace.run { _ in Thread.sleep(forTimeInterval: 7) }
      let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
      let namespaces = threads.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/task/\($0)/ns/net")
      }
      precondition(Set(namespaces).count == 1, "\(namespaces)")
    }
  }
}
