import Foundation
import Glibc
import PathModel
import ProcessTestSupport
import Testing

/// The validator as a service against real servers, a situation a row: what is published, and why.
///
/// With `PATHMONITOR_SITUATIONS=DIRECTORY`, each row writes its measured row of docs/validation.md into a file there:
/// `cat DIRECTORY/*` is the table.
@Suite("Situations with real servers", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct SituationTests {
  /// The figures of a situation: the times in milliseconds, from the first packet to the verdict and from the recovery
  /// to `validated`.
  private struct Figures {
    var known: Int?
    var recovery: Int?
    var requests: Int
    var bytes: Int

    /// Counts at the far end until a moment, in microseconds since boot.
    init(_ internet: LocalInternet, until end: Int) {
      func rows(_ word: String) -> [[Int]] {
        internet.seen("\(word) ").map { line in line.split(separator: " ").compactMap { Int($0) } }
      }
      let packets = rows("bytes").filter { $0[0] <= end }
      known = packets.first.map { (end - $0[0]) / 1_000 }
      bytes = packets.reduce(0) { $0 + $1[1] }
      // An address has no number that stands alone.
      requests = rows("request").count { $0[1] <= end }
    }

    func row(_ situation: Situation) -> String {
      func seconds(_ time: Int?) -> String {
        time.map { $0 < 1_000 ? "\($0) ms" : "\($0 / 1_000).\($0 % 1_000 / 100) s" } ?? "–"
      }
      let documented = Situation.documented.first { $0[0] == situation.testDescription }
      let verdict = documented?[1] ?? "`\(situation.state.rawValue)`"
      let cells = [situation.testDescription, verdict, seconds(known), seconds(recovery)]
      return "| \((cells + ["\(requests)", "\(bytes)"]).joined(separator: " | ")) |\n"
    }
  }

  @Test("is published with its evidence, and changes no status", arguments: Situation.table)
  func situation(_ situation: Situation) async throws {
    try await LocalInternet.with(
      situation.behaviours, hasIPv4: situation.hasIPv4, hasIPv6: situation.hasIPv6, link: situation.link,
      announced: situation.announced
    ) { internet in
      try internet.directory.write("validation.conf", situation.configuration)
      for (name, text) in situation.files { try internet.directory.write(name, text) }
      let figures =
        situation.state == .unknown
        ? try await Self.ask(situation, internet) : try await Self.follow(situation, internet)
      if let most = situation.mostRequests { #expect(figures.requests <= most, "\(internet.requests)") }
      let explanation = try await internet.daemon.pathctl("explain").output
      Self.checkText(explanation)
      let announced = try await internet.validation()["announced"]?.stringValue
      #expect(announced == (situation.isRefused ? nil : situation.announced))
      // The sign-in page is on the local network, and nobody was asked there who was not announced.
      let isLedThere =
        situation.behaviours.announced != nil || situation.behaviours.names.values.contains([LocalInternet.local])
      #expect(isLedThere || !internet.requests.contains { $0.hasPrefix(LocalInternet.local) })
      #expect(!internet.requests.contains("192.0.2.1 3128"), "no proxy is asked")
      #expect(internet.seen("refused").isEmpty)
      #expect(internet.seen("tunnelled").isEmpty == (situation.link != .tunnel))
      // Of an endless answer, the buffers of both kernels are filled at most.
      let sent = internet.seen("sent").compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
      #expect(sent.allSatisfy { $0 < 16 << 20 }, "\(sent)")
      if let directory = ProcessInfo.processInfo.environment["PATHMONITOR_SITUATIONS"] {
        let place = Situation.table.firstIndex { $0.testDescription == situation.testDescription } ?? 0
        try Data(figures.row(situation).utf8).write(to: URL(filePath: "\(directory)/\(100 + place)"))
      }
    }
  }

  /// Runs the validator once, where its verdict is none that it publishes.
  private static func ask(_ situation: Situation, _ internet: LocalInternet) async throws -> Figures {
    let outcome = try await internet.validateOnce()
    let figures = Figures(internet, until: now())
    let isHostless = outcome.complaints.contains("nothing is asked")
    #expect(outcome.status == 69 && (isHostless || outcome.output.hasSuffix("unknown\n")), "\(outcome)")
    for text in situation.evidence { #expect(outcome.output.contains(text), "\(outcome)") }
    checkText(outcome.output)
    return figures
  }

  /// Runs the validator as a service until its verdict, and again until the recovery.
  private static func follow(_ situation: Situation, _ internet: LocalInternet) async throws -> Figures {
    let watcher = try await internet.startWatcher()
    let validator = try internet.startValidator(environment: situation.environment)
    let validation = try await verdict(situation.state, watcher, after: 0)
    if situation.rounds != nil {
      let others = watcher.output.lines.filter {
        !$0.contains(PathValidation.State.unknown.key) && !$0.contains(situation.state.key)
      }
      #expect(others.isEmpty, "another verdict came before")
    }
    #expect(validation["portal"]?.stringValue == situation.page)
    let texts = (validation["evidence"]?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }
    for text in situation.evidence { #expect(texts.contains { $0.contains(text) }, "\(text) in \(texts)") }
    var figures = Figures(internet, until: Int(try #require(validation["since"]?.integerValue)))
    if situation.recovers {
      let (count, begin) = (watcher.output.lines.count, now())
      try await internet.mend(situation.behaviours.firewall)
      let recovered = try await verdict(situation.asksHosts ? .validated : .unknown, watcher, after: count)
      figures.recovery = (Int(recovered["since"]?.integerValue ?? Int64(now())) - begin) / 1_000
    }
    // No verdict changes the status.
    for line in watcher.output.lines { #expect(line.contains(#""status":"satisfied""#)) }
    #expect(try await internet.daemon.pathctl("status").status == 0)
    // MemoryMax= of the unit is 64 MiB.
    let process = try String(contentsOfFile: "/proc/\(validator.processIdentifier)/status", encoding: .utf8)
    let peak = try #require(process.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.split(separator: " "))
    #expect(try #require(peak.compactMap { Int($0) }.first) < 65_536, "\(peak)")
    validator.kill()
    return figures
  }

  /// Waits for a path with the verdict, and returns its validation.
  private static func verdict(
    _ state: PathValidation.State, _ watcher: RunningProgram, after count: Int
  ) async throws -> JSONValue {
    let line = try await watcher.output.wait(for: state.rawValue, within: .seconds(60)) { lines in
      lines.dropFirst(count).last { $0.contains(state.key) }
    }
    return try #require(try JSONValue(parsing: Array(line.utf8))["validation"])
  }

  /// Checks that a text that people read has no control characters of others, and no user of an address.
  private static func checkText(_ text: String) {
    let controls = text.unicodeScalars.filter { [.control, .format].contains($0.properties.generalCategory) }
    #expect(controls.allSatisfy { $0 == "\n" } && !text.contains("somebody"), "\(text)")
  }

  private static func now() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
  }

  @Test func `the table of docs/validation.md has these situations, and no others`() throws {
    let situations = try Situation.parsed()
    #expect(situations.count >= 102 && Situation.documented.map { $0[0] } == situations.map(\.testDescription))
    for (row, situation) in zip(Situation.documented, situations) {
      #expect(
        row[1] == "`\(situation.state.rawValue)`" || row[1].hasPrefix("`\(situation.state.rawValue)`; limit: "),
        "\(row)")
      #expect(row.count == 6, "the figures of \(row[0]) are missing")
    }
    #expect(Set(situations.map(\.testDescription)).count == situations.count)
  }
}

extension PathValidation.State {
  /// The beginning of the object `validation` of a path with the verdict.
  fileprivate var key: String { #""validation":{"state":"\#(rawValue)""# }
}
