internal import Foundation

/// Standard error, for programs without a place of their own for errors.
enum StandardError {
  /// Writes a line. Without a reader there is nobody left to complain to.
  static func write(line: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
  }
}
