internal import JSON
internal import PathCoding
internal import PathModel
internal import SystemIO
internal import Varlink

/// What the service replies to who follows the path.
enum PathReply: Equatable {
  /// The path as it is now; changes follow.
  case path(NetworkPath)
  /// The path as it is now, with which the service ends the stream.
  case lastPath(NetworkPath)
  /// It does not go on.
  case declined(error: String, details: JSONObject)
  /// It says something that is no path.
  case malformed(PathDecodingError)
}

/// Reads one reply after another, and remembers what it read: networks go to and fro between few states, and of a path that
/// was read before only the place in the stream is another.
///
/// What it reads of a frame does not depend on what it has read before.
struct PathReplyReader {
  /// A frame that was read before, without the members that say where in the stream the path is.
  private struct Known {
    /// All before the value of the first of them.
    var beginning: [UInt8]
    var path: NetworkPath
    /// What stood behind the time when it was read last, and the changed fields that it names.
    var ending: [UInt8] = []
    var changed: [String] = []

    /// The path at the place that the rest of its frame says; `nil` when the rest says anything else, or spells it in
    /// another way than the service does.
    mutating func path(at rest: ArraySlice<UInt8>) -> NetworkPath? {
      var reader = PlaceReader(rest)
      guard let sequence = reader.integer(), reader.take(#","boottimeMicroseconds":"#),
        let microseconds = reader.integer()
      else { return nil }
      let rest = reader.rest
      if !Bytes.areEqual(rest.span, ending.span) {
        guard reader.take(#","changed":["#), let names = reader.names(), reader.take(#"]}},"continues":true}"#),
          reader.isAtEnd, rest.count <= PathReplyReader.longestEnding
        else { return nil }
        (ending, changed) = (Array(rest), names)
      }
      var result = path
      (result.sequence, result.boottimeMicroseconds, result.changed) = (sequence, microseconds, changed)
      return result
    }
  }

  private var known: [Known] = []
  private static let limit = 4
  /// Longer ones are not remembered: a bound on the memory.
  private static let longestBeginning = 16_384
  private static let longestEnding = 1_024

  private static let separator = Array(#","sequence":"#.utf8)

  /// Reads the frame of a reply.
  ///
  /// - Throws: ``VarlinkProtocolError`` when it is none.
  mutating func read(_ frame: ArraySlice<UInt8>) throws(VarlinkProtocolError) -> PathReply {
    for index in known.indices {
      let beginning = known[index].beginning
      guard beginning.count < frame.count,
        Bytes.areEqual(frame.span.extracting(first: beginning.count), beginning.span)
      else { continue }
      if let path = known[index].path(at: frame.dropFirst(beginning.count)) { return .path(path) }
    }
    let reply = try VarlinkReply(parsing: frame)
    if let error = reply.error { return .declined(error: error, details: reply.parameters) }
    do throws(PathDecodingError) {
      let path = try NetworkPath(json: reply.parameters["path"] ?? .null)
      guard reply.continues else { return .lastPath(path) }
      remember(path, frame)
      return .path(path)
    } catch {
      return .malformed(error)
    }
  }

  private mutating func remember(_ path: NetworkPath, _ frame: ArraySlice<UInt8>) {
    guard let end = Self.lastEnd(of: Self.separator, in: frame), end - frame.startIndex <= Self.longestBeginning
    else { return }
    let beginning = Array(frame[..<end])
    var candidate = Known(beginning: beginning, path: path)
    guard candidate.path(at: frame[end...])?.isWholly(path) == true else { return }
    // Members of that name may belong to anything. They are the path's if it changes with them.
    let elsewhere = Array(#"-1,"boottimeMicroseconds":-2,"changed":["x"]}},"continues":true}"#.utf8)
    var trial = candidate
    guard let reply = try? VarlinkReply(parsing: (beginning + elsewhere)[...]), reply.error == nil,
      reply.continues, let moved = try? NetworkPath(json: reply.parameters["path"] ?? .null),
      trial.path(at: elsewhere[...])?.isWholly(moved) == true
    else { return }
    if known.count == Self.limit { known.removeFirst() }
    known.append(candidate)
  }

  private static func lastEnd(of pattern: [UInt8], in frame: ArraySlice<UInt8>) -> Int? {
    guard frame.count >= pattern.count else { return nil }
    for start in (frame.startIndex...frame.endIndex - pattern.count).reversed()
    where frame[start] == pattern[0] && frame[start...].starts(with: pattern) {
      return start + pattern.count
    }
    return nil
  }
}

extension NetworkPath {
  /// Equality that leaves nothing out but the texts of the evidence.
  fileprivate func isWholly(_ other: NetworkPath) -> Bool {
    self == other && sequence == other.sequence && boottimeMicroseconds == other.boottimeMicroseconds
      && changed == other.changed
  }
}

/// Reads from the beginning of some bytes, in the one spelling that the service has; whatever is spelled otherwise is not
/// there.
private struct PlaceReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position == bytes.endIndex }

  var rest: ArraySlice<UInt8> { bytes[position...] }

  private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  mutating func take(_ text: String) -> Bool {
    var end = position
    for byte in text.utf8 {
      guard end < bytes.endIndex, bytes[end] == byte else { return false }
      end += 1
    }
    position = end
    return true
  }

  /// A whole number as JSON spells it.
  mutating func integer() -> Int? {
    let isNegative = take("-")
    let first = position
    var value = 0
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
      let (tens, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, isTooLarge) = tens.subtractingReportingOverflow(Int(byte - UInt8(ascii: "0")))
      if overflows || isTooLarge { return nil }
      value = sum
      position += 1
    }
    // No digit, or a zero before others, is no number.
    guard position > first, bytes[first] != UInt8(ascii: "0") || position == first + 1 else { return nil }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// Names in quotation marks with commas between them.
  mutating func names() -> [String]? {
    var names: [String] = []
    while next == UInt8(ascii: "\"") {
      let first = position + 1
      position = first
      while let byte = next, Self.isPlain(byte) { position += 1 }
      guard next == UInt8(ascii: "\"") else { return nil }
      names.append(String(decoding: bytes[first..<position], as: UTF8.self))
      position += 1
      if next != UInt8(ascii: ",") { return names }
      position += 1
      if next != UInt8(ascii: "\"") { return nil }
    }
    return names
  }

  /// Whether a byte stands for itself in a name: a letter or digit.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
