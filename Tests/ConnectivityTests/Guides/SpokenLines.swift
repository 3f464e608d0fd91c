/// The output of a snippet, in place of standard output: lines that a test waits for.
struct SpokenLines: Sendable {
  private let lines: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() {
    (lines, continuation) = AsyncStream.makeStream(of: String.self)
  }

  /// Adds a line.
  func say(_ item: Any) { continuation.yield("\(item)") }

  /// The next line.
  func next() async -> String? { await lines.first { _ in true } }
}
