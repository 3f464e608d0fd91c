internal import Glibc
internal import KernelPath
internal import PathConfiguration
internal import PathDecisions
internal import PathEngine
import PathModel
internal import SystemIO

/// Times costs. `cost-benchmark load FILE REPETITIONS` reads a configuration with all files beside it.
/// `cost-benchmark evaluate FILE REPETITIONS` evaluates the path of its network namespace, with the rules of that
/// configuration and a metered connection on every interface, and without either. It does so with the rulings of the
/// last evaluation, and without them, as at the start.
@main
enum CostBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let repetitions = Int(arguments[3]), repetitions > 0 else { return usage() }
    switch arguments[1] {
    case "load": try load(arguments[2], repetitions)
    case "evaluate": try evaluate(arguments[2], repetitions)
    default: usage()
    }
  }

  private static func usage() {
    print("usage: cost-benchmark load|evaluate FILE REPETITIONS")
    exit(64)
  }

  /// Microseconds with a tenth, of one of the repetitions.
  private static func tenths(_ start: MonotonicInstant, _ end: MonotonicInstant, _ repetitions: Int) -> String {
    tenths(end.nanoseconds - start.nanoseconds, repetitions)
  }

  private static func tenths(_ nanoseconds: Int64, _ repetitions: Int) -> String {
    let tenths = nanoseconds / Int64(repetitions) / 100
    return "\(tenths / 10).\(tenths % 10)"
  }

  // MARK: Loading

  private static func load(_ path: String, _ repetitions: Int) throws {
    let reading = try ConfigurationFiles.read(path)
    for problem in reading.problems { print(problem) }
    let (start, rules) = (MonotonicInstant.now, reading.configuration.rules.rules.count)
    for _ in 0..<repetitions { _ = try ConfigurationFiles.read(path).configuration.rules }
    let middle = MonotonicInstant.now
    for _ in 0..<repetitions {
      for (file, _) in reading.files { _ = try Files.read(file) }
    }
    print(
      "\(reading.files.count) files, \(rules) rules: \(tenths(start, middle, repetitions)) us to load, "
        + "\(tenths(middle, .now, repetitions)) us to read the files alone")
  }

  // MARK: Evaluating

  private static func evaluate(_ path: String, _ repetitions: Int) throws {
    let rules = try ConfigurationFiles.read(path).configuration.rules
    var bare = try Kernel(probes: .standard)
    var costly = try Kernel(probes: .standard, rules: rules)
    let names = costly.state.interfaces.map(\.link.exactName)
    costly.apply(.networkManager(Dictionary(uniqueKeysWithValues: names.map { ($0, .guessNo) }), [:]))
    let interfaces = try PathEvaluator.evaluate(&costly, probes: .standard).path.interfaces.count
    var totals = (bare: Int64(0), costly: Int64(0))
    var firsts = (bare: Int64(0), costly: Int64(0))
    // In turn, so that all see the same machine.
    for _ in 0..<repetitions {
      totals.bare += try time(&bare)
      totals.costly += try time(&costly)
    }
    let firstRepetitions = min(repetitions, 50)
    for _ in 0..<firstRepetitions {
      bare.judgements.forgetAll()
      firsts.bare += try time(&bare)
      costly.judgements.forgetAll()
      firsts.costly += try time(&costly)
    }
    print(
      "\(interfaces) interfaces, \(rules.rules.count) rules: \(tenths(totals.bare, repetitions)) us without costs, "
        + "\(tenths(totals.costly, repetitions)) us with them; at first \(tenths(firsts.bare, firstRepetitions)) us "
        + "without, \(tenths(firsts.costly, firstRepetitions)) us with them")
  }

  /// Nanoseconds for an evaluation that asks for everything.
  private static func time(_ kernel: inout Kernel) throws -> Int64 {
    let start = MonotonicInstant.now
    _ = try PathEvaluator.evaluate(&kernel, probes: .standard)
    return MonotonicInstant.now.nanoseconds - start.nanoseconds
  }
}
