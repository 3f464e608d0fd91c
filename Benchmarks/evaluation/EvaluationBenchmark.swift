internal import Glibc
internal import KernelPath
internal import PathDecisions
import PathModel
internal import SystemIO

/// Times whole path evaluations in the network namespace it runs in: `evaluation-benchmark REPETITIONS`.
@main
enum EvaluationBenchmark {
  static func main() throws {
    guard CommandLine.arguments.count == 2, let repetitions = Int(CommandLine.arguments[1]), repetitions > 0 else {
      print("usage: evaluation-benchmark REPETITIONS")
      exit(64)
    }
    var kernel = try Kernel(probes: .standard)
    var evaluation = try PathEvaluator.evaluate(&kernel, probes: .standard)
    let start = MonotonicInstant.now
    for _ in 0..<repetitions {
      evaluation = try PathEvaluator.evaluate(&kernel, probes: .standard)
    }
    let nanoseconds = MonotonicInstant.now.nanoseconds - start.nanoseconds
    let interfaces = kernel.state.interfaces.count { !$0.link.isLoopback }
    let tenths = nanoseconds / Int64(repetitions) / 100
    print(
      "\(interfaces) interfaces, \(evaluation.lookups.count) lookups: \(tenths / 10).\(tenths % 10) us per evaluation")
  }
}
