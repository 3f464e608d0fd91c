import Foundation
import Testing

/// The Swift that the guides, the documentation of public symbols and the README show is compiled, as it stands there,
/// in the files of this folder and of its counterpart in `ErrorHandlingTests`.
@Suite("The Swift of the guides")
struct GuideTests {
  /// The folders with compiled snippets.
  private static let folders = ["Tests/ConnectivityTests/Guides", "Tests/ErrorHandlingTests/Guides"]
    .map(GuidePage.repository.appendingPathComponent)

  /// The folders of the public modules.
  private static let publicRooms = ["Library/", "Path/PathModel/", "Testing/"]

  /// The README, every page of every catalogue, and the documentation in every public source, by name.
  private static func pages() throws -> [(name: String, page: GuidePage)] {
    let sources = GuidePage.repository.appendingPathComponent("Sources")
    let names = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }.sorted()
    let catalogues = names.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
    let documented = names.filter { name in
      name.hasSuffix(".swift") && publicRooms.contains { name.hasPrefix($0) }
    }
    return try (["README.md"] + catalogues.map { "Sources/" + $0 }).map { ($0, try GuidePage(at: $0)) }
      + documented.map { ("Sources/" + $0, try GuidePage(documentationOf: "Sources/" + $0)) }
  }

  private static func compiled() throws -> [(name: String, file: CompiledSnippets)] {
    try folders.flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix("Snippets.swift") }
        .map { name in
          let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
          return (name, try CompiledSnippets(text))
        }
    }
  }

  @Test func `every Swift snippet of the guides, of the documentation and of the README is compiled`() throws {
    let compiled = try Self.compiled()
    var pagesWithSwift: Set<String> = []
    for (name, page) in try Self.pages() {
      for (line, snippet) in page.snippets {
        pagesWithSwift.insert(name)
        let text = snippet.lines.joined(separator: "\n")
        #expect(compiled.contains { $0.file.compiles(snippet) }, "\(name), line \(line) is compiled nowhere:\n\(text)")
      }
    }
    // A missing page means that the pages, or the Swift in them, are looked for in the wrong place.
    let guides = [
      "GettingStarted", "GatingRequests", "TestingOffline", "PortingFromNetwork", "PortingFromReachability",
    ]
    let expected =
      guides.map { "Sources/Library/ConnectivityCore/ConnectivityCore.docc/\($0).md" } + [
        "README.md", "Sources/Library/ConnectivityCore/Monitor/PathMonitor.swift",
        "Sources/Testing/ConnectivityTesting/PathScript.swift",
        "Sources/Library/RequestsOnPath/Failures/RequestFailure.swift",
        "Sources/Library/RequestsOnPath/RequestsOnPath.docc/SendingRequests.md",
        "Sources/Library/ErrorHandling/ErrorHandling.docc/FromThrowsToPresentation.md",
        "Sources/Library/ErrorHandling/Scopes/ErrorScope.swift",
        "Sources/Library/RequestsOnPath/RequestsOnPath.docc/Forms.md",
        "Sources/Library/Resilience/Resilience.docc/Retrying.md",
        "Sources/Library/Resilience/Resilience.docc/Services.md", "Sources/Library/Resilience/Retry/Retry.swift",
      ]
    #expect(pagesWithSwift.isSuperset(of: expected))
  }

  @Test func `every compiled snippet stands in a guide, in the documentation or in the README`() throws {
    let shown = try Self.pages().flatMap { $0.page.snippets.map(\.snippet.lines) }
    for (name, file) in try Self.compiled() {
      for (line, snippet) in file.snippets {
        #expect(shown.contains(snippet.lines), "\(name), line \(line) is shown nowhere")
      }
    }
  }

  private static let file = """
    import Connectivity

    func run() {
      // guide: begin
      if isTrue {

        print("yes")
      }
      // guide: end
    }
    """

  @Test(
    "a snippet is compiled only as it stands",
    arguments: [
      ("import Connectivity\n\nif isTrue {\n\n  print(\"yes\")\n}", true),
      ("if isTrue {\n\n  print(\"yes\")\n}", true),
      ("import Reachability\n\nif isTrue {\n\n  print(\"yes\")\n}", false),
      ("if isTrue {\n\n  print(\"no\")\n}", false),
      ("if isTrue {\n\nprint(\"yes\")\n}", false),
      ("if isTrue {\n\n  print(\"yes\")", false),
    ])
  func comparison(_ text: String, _ isCompiled: Bool) throws {
    let page = try GuidePage("# A page\n\n```sh\nls\n```\n\n```swift\n\(text)\n```\n")
    try #require(page.snippets.count == 1)
    #expect(page.snippets[0].line == 7)
    #expect(try CompiledSnippets(Self.file).compiles(page.snippets[0].snippet) == isCompiled)
  }

  @Test func `a block or a mark without its counterpart is an error`() {
    #expect(throws: GuideError.self) { try GuidePage("```swift\nlet a = 1\n") }
    #expect(throws: GuideError.self) { try CompiledSnippets("// guide: begin\n") }
    #expect(throws: GuideError.self) { try CompiledSnippets("// guide: end\n") }
    #expect(throws: GuideError.self) { try CompiledSnippets("// guide: begin\n// guide: begin\n// guide: end\n") }
  }
}
