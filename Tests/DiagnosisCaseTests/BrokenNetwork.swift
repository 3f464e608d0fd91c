import Foundation
import Glibc
import ProcessTestSupport
import Testing

/// The network of a case, in a namespace of its own with one for the other ends of its cables.
struct BrokenNetwork {
  let diagnosisCase: DiagnosisCase
  /// The namespace, `NS` in the commands of the case.
  let namespace: String

  init(_ diagnosisCase: DiagnosisCase, _ prefix: String) {
    self.diagnosisCase = diagnosisCase
    namespace = "\(prefix)\(getpid())-\(DiagnosisCase.all.firstIndex { $0.name == diagnosisCase.name } ?? 0)"
  }

  @discardableResult
  func shell(_ line: String) async throws -> RunningProgram.Outcome {
    try await RunningProgram.run(["bash", "-c", line], environment: ["NS": namespace])
  }

  /// Makes the namespace and runs the commands of the case.
  func make() async throws {
    // A namespace gets its resolv.conf when a program starts there.
    try await shell("ip netns add $NS && mkdir -p /etc/netns/$NS")
    try Data(diagnosisCase.resolver.utf8).write(to: URL(fileURLWithPath: "/etc/netns/\(namespace)/resolv.conf"))
    for line in diagnosisCase.setup {
      let outcome = try await shell(line)
      #expect(outcome.status == 0, "'\(line)' failed: \(outcome.complaints)")
    }
  }

  func remove() async throws {
    try await shell("for pid in $(ip netns pids $NS); do kill $pid; done")
    try await shell("ip netns del $NS; ip netns del ${NS}p 2>/dev/null; rm -rf /etc/netns/$NS")
  }
}
