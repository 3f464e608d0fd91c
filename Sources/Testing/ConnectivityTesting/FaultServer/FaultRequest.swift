/// A request that a ``FaultServer`` has received.
public struct FaultRequest: Hashable, Sendable {
  /// The method, such as `GET`.
  public var method: String
  /// The path without the query, such as `/status/503`, with its percent encoding removed.
  public var path: String
  /// The values of the query by their names, with their percent encoding removed. Of equal names the last one decides.
  public var query: [String: String]
  /// The header fields by their names in lower case.
  public var headers: [String: String]
  /// The body; empty when the request has none.
  public var body: [UInt8]
  /// The number of the request among those of the same target, which is the path and the query. The first one has 1.
  public var number: Int
  /// The target as it was sent.
  public var target: String

  /// A request for a target, as a test of an answer needs it.
  ///
  /// - Parameters:
  ///   - target: The path, and the query after a question mark.
  ///   - method: The method.
  ///   - headers: The header fields by their names in lower case.
  ///   - body: The body.
  ///   - number: The number of the request among those of the same target.
  public init(
    _ target: String, method: String = "GET", headers: [String: String] = [:], body: [UInt8] = [], number: Int = 1
  ) {
    let (path, query) = target.parted(by: "?")
    self.target = target
    self.method = method
    self.path = path.withoutPercentEncoding
    self.query = [:]
    for pair in (query ?? "").split(separator: "&") {
      let (name, value) = String(pair).parted(by: "=")
      self.query[name.withoutPercentEncoding] = (value ?? "").withoutPercentEncoding
    }
    self.headers = headers
    self.body = body
    self.number = number
  }
}

extension String {
  /// The parts before and after the first occurrence of a character; the second is `nil` when there is none.
  fileprivate func parted(by separator: Character) -> (String, String?) {
    guard let place = firstIndex(of: separator) else { return (self, nil) }
    return (String(self[..<place]), String(self[index(after: place)...]))
  }

  /// The text with `%41` as `A` and `+` as a space. A percent sign without two digits stays.
  fileprivate var withoutPercentEncoding: String {
    let bytes = Array(utf8)
    var (decoded, place): ([UInt8], Int) = ([], 0)
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "%"), place + 2 < bytes.count, let value = Self.value(bytes[place + 1], bytes[place + 2])
      {
        decoded.append(value)
        place += 3
      } else {
        decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        place += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static func value(_ high: UInt8, _ low: UInt8) -> UInt8? {
    guard let high = Character(Unicode.Scalar(high)).hexDigitValue,
      let low = Character(Unicode.Scalar(low)).hexDigitValue
    else { return nil }
    return UInt8(high * 16 + low)
  }
}
