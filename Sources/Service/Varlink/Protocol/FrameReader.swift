internal import SystemIO

/// Cuts a stream of bytes into frames that end with a NUL. Pure.
///
/// A reader holds at most one incomplete frame up to the limit, plus the bytes appended since ``next()`` returned
/// `nil`.
package struct FrameReader: Sendable {
  /// The error for a frame longer than the limit: the rest of the stream cannot be read.
  package struct FrameTooLong: Error, Hashable, Sendable {
    /// The largest size of a frame in bytes, without its NUL.
    package var limit: Int
  }

  private let limit: Int
  private var buffer: [UInt8] = []
  /// The position of the next frame.
  private var start = 0
  /// The bytes from `start` to this position contain no NUL, so that no byte is searched twice.
  private var searched = 0

  /// A reader of frames up to a size in bytes, without their NUL.
  package init(limit: Int) {
    self.limit = limit
  }

  /// The bytes held for frames that have not been taken yet.
  package var bytesHeld: Int { buffer.count - start }
  /// Whether the held bytes have been searched and contain no end of a frame.
  var isWithinFrame: Bool { searched == buffer.count }
  /// The memory of the buffer, in bytes.
  var capacity: Int { buffer.capacity }

  /// Appends the next bytes of the stream.
  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    buffer += bytes
  }

  /// The next complete frame, without its NUL; `nil` until more bytes come.
  package mutating func next() throws(FrameTooLong) -> ArraySlice<UInt8>? {
    guard let end = Bytes.firstPosition(of: 0, in: buffer.span.extracting(searched...)).map({ searched + $0 }) else {
      if start > 0 {
        // The memory of a large frame must not stay allocated for the beginning of the next one.
        buffer = Array(buffer[start...])
        start = 0
      }
      searched = buffer.count
      if searched > limit { throw FrameTooLong(limit: limit) }
      return nil
    }
    guard end - start <= limit else { throw FrameTooLong(limit: limit) }
    let frame = buffer[start..<end]
    start = end + 1
    searched = start
    if start == buffer.count {
      // An idle connection holds no memory.
      buffer = []
      (start, searched) = (0, 0)
    }
    return frame
  }
}
