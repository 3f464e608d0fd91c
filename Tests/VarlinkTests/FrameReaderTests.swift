import Testing

@testable import Varlink

@Suite("Frames")
struct FrameReaderTests {
  private static let stream = Array("first\0second\0\0last\0".utf8)
  private static let frames = ["first", "second", "", "last"]

  /// All frames that the pieces contain, one after the other.
  private func frames(of pieces: [ArraySlice<UInt8>], limit: Int = 100) throws -> [String] {
    var reader = FrameReader(limit: limit)
    var frames: [String] = []
    for piece in pieces {
      reader.append(piece)
      while let frame = try reader.next() { frames.append(String(decoding: frame, as: UTF8.self)) }
    }
    return frames
  }

  @Test(arguments: 0...stream.count)
  func `frames are the same wherever the stream is split`(position: Int) throws {
    #expect(try frames(of: [Self.stream[..<position], Self.stream[position...]]) == Self.frames)
    #expect(try frames(of: Self.stream.indices.map { Self.stream[$0...$0] }) == Self.frames, "a byte at a time")
  }

  @Test func `nothing, and a frame that has not ended, are no frame`() throws {
    var reader = FrameReader(limit: 10)
    #expect(try reader.next() == nil)
    reader.append([])
    #expect(try reader.next() == nil)
    reader.append(Array("half".utf8)[...])
    #expect(try reader.next() == nil)
    #expect(reader.bytesHeld == 4)
  }

  // MARK: The limit

  @Test(arguments: [0, 1, 8])
  func `a frame of as many bytes as the limit is accepted, and all is refused from a longer one on, ended or not`(
    limit: Int
  ) throws {
    let frame = [UInt8](repeating: 7, count: limit)
    #expect(try frames(of: [(frame + [0])[...]], limit: limit) == [String(decoding: frame, as: UTF8.self)])
    #expect(try frames(of: [frame[...], [0]], limit: limit) == [String(decoding: frame, as: UTF8.self)])
    for end: [UInt8] in [[], [0], [0, 7, 0]] {
      var reader = FrameReader(limit: limit)
      reader.append((frame + [7] + end)[...])
      for _ in 0..<2 {
        #expect(throws: FrameReader.FrameTooLong(limit: limit)) { try reader.next() }
      }
    }
  }

  @Test func `the frames before one that is too long are taken first`() throws {
    var reader = FrameReader(limit: 4)
    reader.append(Array("good\0too long\0".utf8)[...])
    #expect(try reader.next().map(Array.init) == Array("good".utf8))
    #expect(throws: FrameReader.FrameTooLong.self) { try reader.next() }
  }

  // MARK: Work and memory

  /// Reading all earlier bytes again would be some 20,000,000,000 comparisons, which do not end in the time.
  @Test(.timeLimit(.minutes(2)))
  func `each byte is compared once, however the frame comes`() throws {
    let count = 200_000
    let frame = [UInt8](repeating: 7, count: count) + [0]
    var reader = FrameReader(limit: count)
    var frames = 0
    for position in frame.indices {
      reader.append(frame[position...position])
      if try reader.next() != nil { frames += 1 }
    }
    #expect(frames == 1)
  }

  @Test func `a reader without bytes has no memory, and one with few bytes has little`() throws {
    var reader = FrameReader(limit: 1 << 20)
    reader.append([UInt8](repeating: 7, count: 1 << 20)[...])
    #expect(try reader.next() == nil)
    reader.append([0])
    #expect(try reader.next()?.count == 1 << 20)
    #expect(reader.capacity == 0)
    reader.append([UInt8](repeating: 7, count: 1 << 20)[...])
    reader.append([0, 1, 2, 3])
    #expect(try reader.next()?.count == 1 << 20)
    #expect(try reader.next() == nil)
    #expect(reader.bytesHeld == 3)
    #expect(reader.capacity < 1_000)
    reader.append([0])
    #expect(try reader.next().map(Array.init) == [1, 2, 3])
  }
}
