import Foundation
import Testing

/// The texts of the library reach users of any program: it does not have our command line, and often they have no
/// shell.
@Suite("Texts of the library")
struct LibraryTextTests {
  /// The rooms whose code runs in every program that uses the library.
  private static let rooms = [
    "Engine/KernelPath", "Engine/PathConfiguration/Settings", "Engine/PathEngine", "Engine/SystemIO", "Library",
    "Path/PathModel", "Service/Varlink", "Testing",
  ]

  private static var isOptionOrSetting: Regex<Substring> { /(?:^|[^-\w])--[a-z][-a-z]+|\bsysctl\b|\bnet\.ipv[46]\b/ }

  @Test(arguments: rooms)
  func `no text names an option of a command line or a setting of the kernel`(room: String) throws {
    let folder = repository.appendingPathComponent("Sources/\(room)")
    let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") }
    #expect(!names.isEmpty)
    for name in names {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      for (index, line) in text.components(separatedBy: "\n").enumerated() {
        // Comments are for programmers.
        let code = line.components(separatedBy: "//").first ?? ""
        #expect(
          code.firstMatch(of: Self.isOptionOrSetting) == nil,
          "Sources/\(room)/\(name), line \(index + 1): \(line). Let the program give this advice.")
      }
    }
  }

  @Test(arguments: [
    ("name an address with --probe", true), ("sysctl net.ipv4.conf.all.x=1 lets it", true), ("net.ipv6.conf", true),
    ("\"--settle\"", true), ("well-known", false), ("/proc/sys/net/ipv4/conf", false), ("a -- b", false),
  ])
  func `options and settings are recognised`(text: String, isFound: Bool) {
    #expect((text.firstMatch(of: Self.isOptionOrSetting) != nil) == isFound)
  }
}
