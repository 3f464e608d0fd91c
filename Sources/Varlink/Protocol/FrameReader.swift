internal import SystemIO

/// Cuts a stream of bytes into frames that end with a NUL. Pure.
///
/// It holds at most one incomplete frame up to the limit, plus what was given to it at once.
package struct FrameReader: Sendable {
  /// A frame that is longer than the limit: the stream cannot be read on from here.
  package struct FrameTooLong: Error, Hashable, Sendable {
    /// How many bytes a frame may have, without its NUL.
    package var limit: Int
  }

  private let limit: Int
  private var buffer: [UInt8] = []
  /// Where the next frame starts.
  private var start = 0
  /// Up to here there is no NUL after `start`: what comes a byte at a time is looked at once.
  private var searched = 0

  /// A reader of frames that have up to so many bytes, without their NUL.
  package init(limit: Int) {
    self.limit = limit
  }

  /// How many bytes are held for frames that have not been taken yet.
  package var bytesHeld: Int { buffer.count - start }
  /// Whether what is held was searched for the end of a frame, and has none.
  var isWithinFrame: Bool { searched == buffer.count }
  /// How many bytes of memory that takes.
  var capacity: Int { buffer.capacity }

  /// Takes the next bytes of the stream.
  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    buffer += bytes
  }

  /// The next complete frame, without its NUL; `nil` until more bytes come.
  package mutating func next() throws(FrameTooLong) -> ArraySlice<UInt8>? {
    guard let end = Bytes.firstPosition(of: 0, in: buffer.span.extracting(searched...)).map({ searched + $0 }) else {
      if start > 0 {
        // A large frame that is taken leaves no memory behind under the beginning of the next one.
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
