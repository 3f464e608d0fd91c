import Glibc
import History
import ProcessTestSupport
import Testing

/// A recorder of a test's own, and its history.
struct RunningRecorder {
  static let program = RunningProgram.built("pathmonitor-history")

  let running: RunningProgram

  /// Starts it. It reads no configuration of the machine.
  ///
  /// - Parameters:
  ///   - launcher: The words that start it.
  ///   - environment: Variables that it gets besides the usual ones.
  init(_ file: String, socket: String, launcher: [String] = [], environment: [String: String] = [:]) throws {
    running = try RunningProgram(
      launcher + [Self.program, "record", "--file", file, "--socket", socket, "--config", "/dev/null"],
      environment: environment)
  }

  /// Ends it in the ordinary way.
  func stop() async throws {
    running.send(SIGTERM)
    #expect(try await running.waitForExit() == 0)
  }
}

/// Waits until the last states of the history are these, the present one included.
///
/// - Parameters:
///   - states: `up`, `down`, `gap` and so on. A gap is between spans, or behind the last if none is the present one.
///   - launcher: The words that start the program that reads the history.
func waitForStates(_ states: String..., in file: String, launcher: [String] = []) async throws {
  let script = """
    import sqlite3, sys, time
    end = time.monotonic() + 20
    query = '''SELECT CASE state WHEN 1 THEN 'suspended' WHEN 3 THEN 'unknown'
      ELSE CASE status WHEN 'satisfied' THEN 'up' ELSE 'down' END END, boot, boottime, boottime + duration
      FROM span LEFT JOIN path ON path.id = path ORDER BY number'''
    found = []
    while time.monotonic() < end:
        try:
            history = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True, timeout=5)
            history.execute("BEGIN")
            found, last = [], None
            for word, boot, start, stop in history.execute(query):
                if last and last != (boot, start):
                    found.append("gap")
                found.append(word)
                last = (boot, stop)
            if found and history.execute("SELECT number FROM present").fetchone()[0] is None:
                found.append("gap")
            history.close()
            if found[-len(sys.argv[2:]):] == sys.argv[2:]:
                sys.exit(0)
        except sqlite3.Error as error:
            found = [str(error)]
        time.sleep(0.01)
    sys.exit(f"the states are {found}, not {sys.argv[2:]}")
    """
  let outcome = try await RunningProgram.run(launcher + ["python3", "-c", script, file] + states, within: .seconds(60))
  guard outcome.status == 0 else { throw NothingCame(description: outcome.complaints) }
}

/// Whether the spans follow one another without a hole and without an overlap by the boot clock.
func areContiguous(_ spans: [HistorySpan]) -> Bool {
  zip(spans, spans.dropFirst()).allSatisfy { span, next in next.follows(span) }
}
