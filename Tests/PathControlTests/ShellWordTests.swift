import PathControl
import PathModel
import PathTestSupport
import ProcessTestSupport
import Testing

@Suite("Words of a shell")
struct ShellWordTests {
  private static let shells = ["sh", "bash", "zsh", "fish"]

  /// Runs a script in a shell without its configuration.
  private static func run(_ shell: String, _ script: String) async throws -> RunningProgram.Outcome {
    let options = ["sh": [], "bash": ["--norc", "--noprofile"], "zsh": ["-f"], "fish": ["--no-config"]]
    return try await RunningProgram.run(
      [shell] + (options[shell] ?? []) + ["-c", script], environment: ["LC_ALL": "C.UTF-8"])
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in " \(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))" }.joined()
  }

  /// The bytes that a shell reads in words, as numbers; each word ends with a separator.
  private static func read(_ words: [String], in shell: String) async throws -> [String] {
    let outcome = try await run(shell, "printf '%s\\n@\\n' \(words.joined(separator: " ")) | od -An -v -tx1 -w1000000")
    return Array(
      outcome.output.split(separator: "\n").joined().split(separator: hexadecimal(separator)).map(String.init))
  }

  private static let separator = Array("\n@\n".utf8)

  /// The names in the bytes of the kernel. A word of a shell has no line break at its end.
  private static let names: [[UInt8]] =
    HostileNames.all.map { Array($0.utf8) }.filter { $0.last != 10 }
    + [[0x77, 0xFF], [0x27, 0xC3, 0x3B], Array("\\xff".utf8), [0x5C, 0xFE], [0xE2, 0x80]]

  @Test(arguments: shells)
  func `every shell reads the bytes of the name`(shell: String) async throws {
    let words = Self.names.map { String(nameBytes: $0).shellWordOfName }
    #expect(try await Self.read(words, in: shell) == Self.names.map(Self.hexadecimal))
  }

  @Test(arguments: shells)
  func `every shell reads the bytes of a text`(shell: String) async throws {
    let texts = HostileNames.all.filter { $0.utf8.last != 10 }
    let read = try await Self.read(texts.map(\.shellWord), in: shell)
    #expect(read == texts.map { Self.hexadecimal(Array($0.utf8)) })
  }

  /// Prose has commands between quotation marks.
  @Test(arguments: shells)
  func `nothing runs if the quotation marks around an advised command are copied with it`(shell: String) async throws {
    let names = HostileNames.all.filter { $0.contains("RUN") }
    for name in names {
      let advice = Diagnosis(code: .noCarrier, subject: name, sentence: "words").advice ?? ""
      let start = try #require(advice.unicodeScalars.firstIndex(of: "'"))
      let command = String(advice.unicodeScalars[start...]).replacing(" shows the state.", with: "")
      let outcome = try await Self.run(shell, ": \(command)")
      #expect(!outcome.output.contains("RUN"), "\(command)")
    }
  }
}
