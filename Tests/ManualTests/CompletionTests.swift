import Foundation
import PathControl
import ProcessTestSupport
import Programs
import Testing

@Suite("Completions")
struct CompletionTests {
  /// A command line, and the completions of its last word.
  struct Case: Sendable, CustomTestStringConvertible {
    var line: String
    /// The completions that must be there.
    var expected: Set<String>
    /// Whether no other completion may be there.
    var isAll = true

    var testDescription: String { line }
  }

  /// What a shell does with each kind of answer; CompletionAnswerTests has the words.
  private static let cases = [
    Case(line: "pathctl wa", expected: ["watch", "wait"]),
    Case(line: "pathctl --settle=1s wa", expected: ["watch", "wait"]),
    Case(line: "pathctl --probe 2001:db8::1 wa", expected: ["watch", "wait"]),
    Case(line: "pathctl wait connected,unm", expected: ["connected,unmetered", "connected,unmetered-known"]),
    Case(line: "pathctl check type=wi", expected: ["type=wifi", "type=wiredEthernet"]),
    Case(line: "pathctl check not-vpn,via=lo", expected: ["not-vpn,via=lo", "not-vpn,via=loopback"], isAll: false),
    Case(line: "pathctl check --ti", expected: []),
    Case(line: "pathctl run wifi --on-loss ", expected: ["stop", "pause", "continue"]),
    Case(line: "pathctl run wifi --on-change re", expected: ["restart"]),
    Case(line: "pathctl run wifi --on-loss=p", expected: ["--on-loss=pause"]),
    Case(line: "pathctl override set status unsatisfied --interface l", expected: ["lo"], isAll: false),
    Case(line: "pathctl --socket FOLDER/so", expected: ["FOLDER/some-file"]),
    Case(line: "pathctl health --socket=FOLDER/so", expected: ["--socket=FOLDER/some-file"]),
    Case(line: "pathctl route FOLDER/so", expected: []),
    Case(line: "pathctl run wifi --on-loss pause -- hostn", expected: ["hostname"], isAll: false),
    Case(line: "pathctl run wifi -- cat FOLDER/so", expected: ["FOLDER/some-file"]),
    Case(line: "pathctl run wifi -- cat FOLDER/nothing", expected: []),
    Case(line: "pathmonitord --ver", expected: ["--verbose", "--version"]),
    Case(line: "pathmonitord --config FOLDER/so", expected: ["FOLDER/some-file"]),
    Case(line: "pathmonitord --check-config FOLDER/so", expected: ["FOLDER/some-file"]),
  ]

  @Test(
    .enabled(if: Shell.missing.isEmpty, "needs the packages bash, zsh and fish; make test installs them"),
    arguments: Shell.allCases, cases)
  func `a shell knows the words that can stand at the cursor, and no others`(shell: Shell, asked: Case) async throws {
    let folder = try ScratchDirectory()
    try Shell.write(to: folder)
    try folder.write("some-file", "")
    func real(_ text: String) -> String { text.replacing("FOLDER", with: folder.path) }
    let found = try await shell.completions(of: real(asked.line), scripts: folder)
    // A shell may end a word that is to be followed by a value with an equals sign.
    let words = Set(found.map { $0.hasPrefix("-") && $0.hasSuffix("=") ? String($0.dropLast()) : $0 })
    let expected = Set(asked.expected.map(real))
    if asked.isAll {
      #expect(words == expected)
    } else {
      #expect(words.isSuperset(of: expected), "\(words)")
    }
  }

  private static let bashCompletion = "/usr/share/bash-completion/bash_completion"

  @Test(
    .enabled(
      if: Shell.missing.isEmpty && FileManager.default.fileExists(atPath: bashCompletion),
      "needs the packages bash, zsh, fish and bash-completion; make test installs them"))
  func `with bash-completion, commands behind two dashes are completed as alone`() async throws {
    let folder = try ScratchDirectory()
    try Shell.write(to: folder)
    // The command has a completion of its own, whose words show that it was called.
    let setup = "unset BASH_ENV; . \(Self.bashCompletion); complete -W 'alpha beta' hostname"
    for (line, expected) in [("hostname a", "alpha"), ("hostname alpha b", "beta")] {
      let found = try await Shell.bash.completions(of: "pathctl run wifi -- \(line)", scripts: folder, setup: setup)
      #expect(found == [expected])
    }
  }
}
