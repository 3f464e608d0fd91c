import ConnectivityCore
import FoundationEssentials
import Testing

@testable import offline_page

@Suite("Options")
struct OptionsTests {
  private static func allowed(_ word: String) -> String {
    "'\(word)' is not known; allowed: --port PORT, --content URL, --sample-address ADDRESS, "
      + "--offer TITLE=COMMAND"
  }

  @Test func `options are understood in any order`() throws {
    let options = try Options([
      "--sample-address", "10.0.0.1", "--content", "http://board.example:81/x", "--port", "0", "--sample-address",
      "fd00::1",
      "--offer",
      " Wi-Fi on = A=1 rfkill unblock wifi",
    ])
    #expect(options.offers == [Offer(title: "Wi-Fi on", command: "A=1 rfkill unblock wifi")])
    #expect(options.port == 0)
    #expect(options.content == URL(string: "http://board.example:81/x"))
    #expect(options.probes == [IPAddress("10.0.0.1"), IPAddress("fd00::1")])
    #expect(try Options([]).port == 8080)
  }

  @Test(
    "a mistake gets a sentence that says what is right",
    arguments: [
      (["--prot", "1"], allowed("--prot")),
      (["extra"], allowed("extra")),
      (["--port"], "--port needs a value, such as 8080"),
      (["--port", "65536"], "'65536' is not a number from 0 to 65535; correct: --port 8080"),
      (["--port", ""], "'' is not a number from 0 to 65535; correct: --port 8080"),
      (
        ["--content", "file:///etc/passwd"],
        "'file:///etc/passwd' is not an address of http or https; correct: --content https://www.example.org/"
      ),
      (
        ["--offer", "=true"],
        "'=true' is not a title and a command; correct: --offer 'Switch Wi-Fi on=rfkill unblock wifi'"
      ),
      (
        ["--sample-address", "dns.example"],
        "'dns.example' is not an IP address; correct: --sample-address 192.0.2.1"
      ),
    ] as [([String], String)])
  func mistakes(arguments: [String], sentence: String) {
    #expect(throws: Options.UsageError(sentence: sentence)) { try Options(arguments) }
  }
}
