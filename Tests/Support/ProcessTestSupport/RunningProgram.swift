internal import Foundation
internal import Glibc

/// A program that was started by a test and ends with it at the latest.
package final class RunningProgram: Sendable {
  /// The programs that were built with these tests.
  private static let buildDirectory = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()
  package static let pathctl = built("pathctl")
  package static let pathmonitord = built("pathmonitord")

  /// The path of a program that was built with these tests.
  package static func built(_ name: String) -> String { buildDirectory.appendingPathComponent(name).path }

  /// Its standard output.
  package let output = LineLog()
  /// Its standard error.
  package let complaints = LineLog()
  /// Ends when the program does; the only line is its exit status.
  private let ending = LineLog()
  package let processIdentifier: Int32

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - words: The program, found in PATH, and its arguments.
  ///   - environment: Variables to be set, or to be removed where the value is `nil`.
  ///   - namespace: The network namespace to start it in.
  ///   - directory: The working directory.
  ///   - input: The text of its standard input.
  package init(
    _ words: [String], environment: [String: String?] = [:], namespace: String? = nil, directory: String? = nil,
    input: String? = nil
  ) throws {
    let spawned = try Self.spawn(words, environment, namespace, directory, input)
    processIdentifier = spawned.process
    let thread = Thread { [output, complaints, ending] in
      spawned.read(output: output, complaints: complaints)
      ending.append(Data("\(spawned.wait())\n".utf8))
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  private static func spawn(
    _ words: [String], _ environment: [String: String?], _ namespace: String?, _ directory: String?, _ input: String?
  ) throws -> Spawned {
    let unwanted = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "LISTEN_FDS", "JOURNAL_STREAM", "PATHMONITOR_SOCKET"]
    let variables = Dictionary(uniqueKeysWithValues: unwanted.map { ($0, String?.none) }).merging(environment) { $1 }
    // env(1) and ip-netns(8) execute the next program in their place: the process stays the same.
    let all =
      ["env"] + (directory.map { ["-C", $0] } ?? []) + variables.flatMap { $1 == nil ? ["-u", $0] : [] }
      + variables.compactMap { name, value in value.map { "\(name)=\($0)" } }
      + (namespace.map { ["ip", "netns", "exec", $0] } ?? []) + words
    return try Spawned(all, input: input)
  }

  deinit {
    kill()
  }

  package var isRunning: Bool { ending.lines.isEmpty }

  /// Sends it a signal.
  package func send(_ signal: Int32) {
    if isRunning { _ = Glibc.kill(processIdentifier, signal) }
  }

  /// Ends it at once, as `kill -9` does.
  package func kill() { send(SIGKILL) }

  /// Ends it at once, and waits until the kernel has closed its sockets, too.
  package func killAndWait() async throws {
    kill()
    try await waitForExit()
  }

  /// Waits until it has ended and all it printed has been read; returns its exit status, which is 128 and the number
  /// of the signal that ended it.
  @discardableResult
  package func waitForExit(within limit: Duration = .seconds(20)) async throws -> Int32 {
    let status = try await ending.wait(for: "the end of the program", within: limit) { $0.first.flatMap { Int32($0) } }
    _ = try await output.waitForEnd()
    _ = try await complaints.waitForEnd()
    return status
  }

  /// The result of a program.
  package struct Outcome: Sendable {
    package var status: Int32
    package var output: String
    package var complaints: String
  }

  /// Runs a program to its end.
  package static func run(
    _ words: [String], environment: [String: String?] = [:], namespace: String? = nil, directory: String? = nil,
    within limit: Duration = .seconds(30)
  ) async throws -> Outcome {
    let program = try RunningProgram(words, environment: environment, namespace: namespace, directory: directory)
    let status = try await program.waitForExit(within: limit)
    return Outcome(status: status, output: program.output.text, complaints: program.complaints.text)
  }

  /// Runs a program to its end on the thread of the caller: for threads that a test has made, never for those that all
  /// tests share.
  package static func runBlocking(
    _ words: [String], environment: [String: String?] = [:], namespace: String? = nil, input: String? = nil
  ) throws -> Outcome {
    let spawned = try spawn(words, environment, namespace, nil, input)
    let (output, complaints) = (LineLog(), LineLog())
    spawned.read(output: output, complaints: complaints)
    return Outcome(status: spawned.wait(), output: output.text, complaints: complaints.text)
  }

  /// Runs `pathctl` to its end.
  package static func pathctl(
    _ arguments: String..., environment: [String: String?] = [:], namespace: String? = nil
  ) async throws -> Outcome {
    try await run([pathctl] + arguments, environment: environment, namespace: namespace)
  }
}
