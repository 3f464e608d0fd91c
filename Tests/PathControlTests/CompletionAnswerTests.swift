import Foundation
import PathControl
import ProcessTestSupport
import Programs
import Testing

@Suite("Answers for shells that complete command lines")
struct CompletionAnswerTests {
  private static func answer(_ line: String) -> CompletionAnswer {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return Verbs.completed.answer(for: words, interfaces: { ["eth0", "lo", "wlan0"] })
  }

  private static func words(_ line: String) -> [String]? {
    guard case .candidates(let candidates) = answer(line).source else { return nil }
    return candidates.map(\.word)
  }

  @Test func `in the place of a verb every verb is offered, with its meaning`() {
    #expect(Self.answer("").source == .candidates(Verbs.all.map { .init($0.name, $0.summary) }))
    #expect(Self.words("help ") == Verbs.all.map { $0.name })
    #expect(Self.words("no-such-verb ") == [])
  }

  @Test(arguments: Verbs.all.map { $0.name })
  func `the options of a verb are offered behind it, and no others`(verb: String) throws {
    let options = try Verbs.named(verb).shownOptions
    #expect(Self.answer("\(verb) --").source == .candidates(options.map { .init($0.name, $0.summary) }))
  }

  @Test(arguments: [
    ("wa", ["watch", "wait"]), ("--settle 1s --json wa", ["watch", "wait"]), ("--settle=1s wa", ["watch", "wait"]),
    ("help ov", ["override"]), ("watch --ti", ["--timeout"]), ("check --ti", []),
    ("monitor --co", ["--count", "--config"]), ("interfaces w", ["wlan0"]),
    ("show --field interfaces", ["interfaces"]),
    ("show --field interface.a", ["interface.addresses", "interface.alternativeNames"]), ("wait --ti", ["--timeout"]),
    ("wait connected --timeout 5s --js", ["--json"]), ("-- wa", ["watch", "wait"]), ("wait -- --", []),
    ("run wifi --on-loss ", ["stop", "pause", "continue"]), ("run wifi --on-loss=p", ["--on-loss=pause"]),
    ("override ", ["set", "clear", "list"]), ("override set is", ["isExpensive", "isConstrained"]),
    ("override list st", []), ("override clear st", ["status"]), ("override set isExpensive ", ["true", "false"]),
    ("override set status ", ["unsatisfied"]), ("override set nothing t", []), ("override clear isExpensive t", []),
    ("override --interface w", ["wlan0"]), ("override --interface=w", ["--interface=wlan0"]),
    ("wait unm", ["unmetered", "unmetered-known"]), ("wait dns,not-ip", ["dns,not-ipv4", "dns,not-ipv6"]),
    ("wait !wi", ["!wifi"]), ("wait not-(wi", ["not-(wifi"]),
    ("wait wifi|eth", ["wifi|ethernet"]), ("wait (wi", ["(wifi"]),
    ("wait type=wi", ["type=wifi", "type=wiredEthernet"]),
    ("wait dns,interface=", ["dns,interface=eth0", "dns,interface=lo", "dns,interface=wlan0"]),
    ("wait via=lo", ["via=lo", "via=loopback"]), ("wait no", ["not-"]), ("wait wifi wi", []), ("wait --timeout 5", []),
  ])
  func `the offered words begin as the text at the cursor does`(line: String, words: [String]) {
    #expect(Self.words(line) == words)
  }

  @Test func `words of a requirement have their meanings`() {
    #expect(
      Self.answer("wait dns,wi").source == .candidates([.init("dns,wifi", "the path uses Wi-Fi, also below a VPN")]))
  }

  @Test(arguments: ["set isExpensive true", "clear", "clear status", "list"])
  func `an option that is offered behind an action of override is accepted there`(order: String) throws {
    let offered = try #require(Self.words("override \(order) --"))
    #expect(offered.contains("--json"))
    for option in OverrideVerb.ownOptions {
      let words = ["override"] + order.split(separator: " ").map(String.init) + [option.name]
      let arguments = words + (option.placeholder == nil ? [] : [option.example.replacing("'", with: "")])
      let isAccepted = (try? ArgumentParser.parse(arguments)) != nil
      #expect(isAccepted == offered.contains(option.name), "\(option.name)")
    }
  }

  @Test func `in a place without other words the options are offered`() {
    #expect(Self.words("watch ") == WatchVerb.options.map(\.name))
    #expect(Self.words("watch -- ") == [])
  }

  @Test func `files, hosts and programs are found by the shell, behind the text that is there`() {
    #expect(Self.answer("--socket /tm") == CompletionAnswer(.files, text: "/tm"))
    #expect(Self.answer("health --socket=/tm") == CompletionAnswer(.files, head: "--socket=", text: "/tm"))
    #expect(Self.answer("route exa") == CompletionAnswer(.hosts, text: "exa"))
    #expect(Self.answer("watch --exec log") == CompletionAnswer(.programs, text: "log"))
  }

  @Test func `a command behind two dashes is completed by the shell, but only where a verb takes one`() {
    #expect(Self.answer("run wifi -- ca") == CompletionAnswer(.command(at: 3), text: "ca"))
    #expect(Self.answer("run wifi --on-loss pause -- cat -- f") == CompletionAnswer(.command(at: 5), text: "f"))
    #expect(Self.words("status -- --js") == [])
  }

  // MARK: Shells

  private static let breaks = " \t\n\"'><=;|&(:"

  private static func lines(_ shell: CompletingShell, _ arguments: [String]) throws -> [String] {
    let answer = try CompletionCommand.answer(
      to: [CompletionCommand.name, shell.rawValue] + arguments, of: Verbs.completed,
      interfaces: { ["a;reboot", "eth0", "eth$1", "x!y"] })
    return try #require(answer).dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test(
    "each shell gets the words in its form: bash the part behind the last character at which it splits",
    arguments: [
      (.bash, [breaks, "wait", "dns,ty"], ["words", "", "dns,ty", "", "dns,type="]),
      (.bash, [breaks, "wait", "type", "=", "ce"], ["words", "", "type=ce", "type=", "cellular"]),
      (
        .bash, [breaks, "run", "--on-loss", "="],
        ["words", "--on-loss=", "", "--on-loss=", "stop", "pause", "continue"]
      ),
      (.bash, [" ", "wait", "type=ce"], ["words", "", "type=ce", "", "type=cellular"]),
      (
        .bash, [breaks, "--probe", "2001", ":", "db8", "::", "1", "wa"], ["words", "", "wa", "", "watch", "wait"]
      ),
      (.bash, [breaks, "--socket", "=", "/tm"], ["file", "--socket=", "/tm", "--socket="]),
      (.bash, [breaks, "run", "wifi", "--", "ca"], ["command 4", "", "ca", ""]),
      (.bash, [breaks, "run", "via", "=", "lo", "--", "cat", "f"], ["file 6", "", "f", ""]),
      // Meanings stand behind colons, and words to continue have a mark.
      (
        .zsh, ["wait", "i"],
        [
          "words", "", "i", "+ipv4:IPv4 destinations can be reached", "+ipv6:IPv6 destinations can be reached",
          "-interface=:this interface carries the traffic",
        ]
      ),
      (.zsh, ["run", "wifi", "--", "cat", "f"], ["command 4", "", "f"]),
      (.fish, ["wat"], ["words", "", "wat", "watch\t\(WatchVerb.summary)"]),
      (.fish, ["--socket=/tm"], ["files", "--socket=", "/tm"]),
    ] as [(CompletingShell, [String], [String])])
  func forms(shell: CompletingShell, words: [String], lines: [String]) throws {
    #expect(try Self.lines(shell, words) == lines)
  }

  @Test func `bash gets no interfaces whose names it would split`() throws {
    #expect(try Self.lines(.bash, [Self.breaks, "override", "--interface", ""]) == ["words", "", "", "", "eth0"])
    #expect(try Self.lines(.bash, [Self.breaks, "wait", "!vp"]).last == "!vpn")
    #expect(try Self.lines(.fish, ["override", "--interface", ""]).count == 7)
  }

  @Test func `every text of an answer is a line of its own`() throws {
    for verb in Verbs.all {
      for shell in CompletingShell.allCases {
        let first = shell == .bash ? [Self.breaks] : []
        let answer = shell.answer(of: Verbs.completed, to: first + [verb.name, "--"], interfaces: { [] })
        #expect(answer.filter { $0 == "\n" }.count == verb.shownOptions.count + (shell == .bash ? 4 : 3))
      }
    }
  }

  @Test func `arguments that are no question of a shell are left to the other verbs`() throws {
    #expect(try CompletionCommand.answer(to: ["status"], of: Verbs.completed, interfaces: { [] }) == nil)
    #expect(try CompletionCommand.answer(to: [], of: Verbs.completed, interfaces: { [] }) == nil)
  }

  @Test(arguments: [["__complete"], ["__complete", "tcsh", "wa"]])
  func `an unknown shell is one clear line and 64`(arguments: [String]) async throws {
    let outcome = try await RunningProgram.run([RunningProgram.pathctl] + arguments)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.complaints == "pathctl: the shell is not known. Correct use: __complete bash|zsh|fish WORD...\n")
  }

  @Test func `the interfaces of the machine are among the answers of the program`() async throws {
    let outcome = try await RunningProgram.pathctl("__complete", "fish", "wait", "interface=lo")
    #expect(outcome.status == 0)
    #expect(outcome.output.split(separator: "\n").contains { $0.hasPrefix("interface=lo\t") })
  }
}
