import Foundation

/// A pipe whose ends are closed with it.
final class TestPipe {
  private let pipe = Pipe()

  var reading: Int32 { pipe.fileHandleForReading.fileDescriptor }
  var writing: Int32 { pipe.fileHandleForWriting.fileDescriptor }

  func write(_ text: String = "x") throws {
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  func closeReading() throws { try pipe.fileHandleForReading.close() }

  func closeWriting() throws { try pipe.fileHandleForWriting.close() }

  func read(_ count: Int) throws -> [UInt8] {
    Array(try pipe.fileHandleForReading.read(upToCount: count) ?? Data())
  }
}
