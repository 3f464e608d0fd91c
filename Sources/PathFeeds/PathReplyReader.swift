internal import JSON
internal import PathCoding
internal import PathModel
internal import Varlink

/// What the service replies to who follows the path.
enum PathReply: Equatable {
  /// The path as it is now.
  case path(NetworkPath)
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
  }

  private var known: [Known] = []
  private static let limit = 4
  /// Longer ones are not remembered: a bound on the memory.
  private static let longestBeginning = 16_384

  private static let separator = Array(#","sequence":"#.utf8)
  private static let object = Array(#"{"sequence":"#.utf8)
  private static let ending = Array(#"}},"continues":true}"#.utf8)

  /// Reads the frame of a reply.
  ///
  /// - Throws: ``VarlinkProtocolError`` when it is none.
  mutating func read(_ frame: ArraySlice<UInt8>) throws(VarlinkProtocolError) -> PathReply {
    for candidate in known {
      let place = frame.startIndex + candidate.beginning.count
      guard place < frame.endIndex, frame[..<place] == candidate.beginning[...] else { continue }
      if let path = Self.path(candidate.path, at: frame[place...]) { return .path(path) }
    }
    let reply = try VarlinkReply(parsing: frame)
    if let error = reply.error { return .declined(error: error, details: reply.parameters) }
    do throws(PathDecodingError) {
      let path = try NetworkPath(json: reply.parameters["path"] ?? .null)
      remember(path, frame)
      return .path(path)
    } catch {
      return .malformed(error)
    }
  }

  /// The path at the place that the rest of its frame says; `nil` when the rest says anything else.
  private static func path(_ path: NetworkPath, at rest: ArraySlice<UInt8>) -> NetworkPath? {
    let end = rest.endIndex - ending.count
    guard end > rest.startIndex, rest[end...] == ending[...] else { return nil }
    // The members alone are a whole object: they end nothing that was begun before.
    var text = object
    text += rest[..<end]
    text.append(UInt8(ascii: "}"))
    guard let json = try? JSONValue(parsing: text), let members = json.objectValue, members.count == 3,
      members["boottimeMicroseconds"] != nil, members["changed"] != nil
    else { return nil }
    var result = path
    do throws(PathDecodingError) { try result.takePlace(json: json) } catch { return nil }
    return result
  }

  private mutating func remember(_ path: NetworkPath, _ frame: ArraySlice<UInt8>) {
    guard let end = Self.lastEnd(of: Self.separator, in: frame), end - frame.startIndex <= Self.longestBeginning,
      Self.path(path, at: frame[end...])?.isWholly(path) == true
    else { return }
    let beginning = Array(frame[..<end])
    // Members of that name may belong to anything. They are the path's if it changes with them.
    let elsewhere = Array(#"-1,"boottimeMicroseconds":-2,"changed":["-3"]"#.utf8) + Self.ending
    guard let reply = try? VarlinkReply(parsing: (beginning + elsewhere)[...]), reply.error == nil,
      let moved = try? NetworkPath(json: reply.parameters["path"] ?? .null),
      Self.path(path, at: elsewhere[...])?.isWholly(moved) == true
    else { return }
    if known.count == Self.limit { known.removeFirst() }
    known.append(Known(beginning: beginning, path: path))
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
