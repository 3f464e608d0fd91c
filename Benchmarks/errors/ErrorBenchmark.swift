import ErrorHandling
import Glibc

/// Measures the cost of handling an error, with `error-benchmark rules COUNT` or `error-benchmark scope COUNT`:
///
/// - `rules`: a handler with 50 rules of which one matches, the one that is tried last, handles an error so often.
/// - `scope`: a scope with a handler is entered and left so often, inside another one.
///
/// Prints the processor time of one, in nanoseconds.
@main
enum ErrorBenchmark {
  private struct Matching: Error, Equatable {
    var number: Int
  }

  private static let rules = 50

  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    guard words.count == 2, let count = words.last.flatMap({ Int($0) }), count > 0 else { usage() }
    switch words.first {
    case "rules": await handleErrors(count)
    case "scope": await enterScopes(count)
    default: usage()
    }
  }

  private static func usage() -> Never {
    print("usage: error-benchmark rules COUNT | scope COUNT")
    exit(64)
  }

  private static func handleErrors(_ count: Int) async {
    var handler = ErrorHandler()
    for number in 0..<rules { handler = handler.on(Matching(number: number)) { _ in .stopMatching } }
    var handled = 0
    let start = clock()
    for _ in 0..<count where await handler.handle(Matching(number: 0)) == .handled { handled += 1 }
    say("handled", handled, since: start)
  }

  private static func enterScopes(_ count: Int) async {
    let handler = ErrorHandler().on(Matching(number: 0)) { _ in .stopMatching }
    await withErrorScope("program", handler: handler) {
      var entered = 0
      let start = clock()
      for _ in 0..<count {
        entered += await withErrorScope("request", handler: handler) { ErrorScope.current.name == "request" ? 1 : 0 }
      }
      say("entered", entered, since: start)
    }
  }

  private static func say(_ verb: String, _ count: Int, since start: clock_t) {
    // POSIX: the clock counts microseconds.
    let nanoseconds = (clock() - start) * 1_000
    print("\(verb) \(count): \(nanoseconds / max(count, 1)) ns each")
  }
}
