import ErrorHandling
import PathModel
import Testing

/// `ErrorHandling` escapes texts itself, because it belongs to no platform.
@Suite("Lines for logs")
struct LineTests {
  @Test func `a line for a log is the same as everywhere in PathMonitor`() {
    for number: UInt32 in 0..<0x11_0000 {
      guard let scalar = Unicode.Scalar(number) else { continue }
      let text = "a\(scalar)b"
      if ErrorMessage(text).description != text.inOneLine { Issue.record("U+\(String(number, radix: 16))") }
    }
  }
}
