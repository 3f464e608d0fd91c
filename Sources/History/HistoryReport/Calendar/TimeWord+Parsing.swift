internal import History
internal import PathModel

extension TimeWord {
  /// A mistake in a word for a time.
  package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The mistake in words, without a full stop.
    package var description: String
  }

  /// Reads a word.
  ///
  /// - Throws: ``ParseError`` when the text is none of the forms, or names a day that does not exist.
  package init(_ text: String) throws(ParseError) {
    let lowered = text.lowercased()
    var trimmed = Substring(lowered)
    while trimmed.first == " " { trimmed.removeFirst() }
    while trimmed.last == " " { trimmed.removeLast() }
    guard !trimmed.isEmpty else { throw ParseError(description: "it is empty") }
    if let span = try Self.span(trimmed) {
      self = span
      return
    }
    let words = trimmed.split { $0 == " " || $0 == "t" && trimmed.first?.isNumber == true }
    guard let first = words.first, words.count <= 2 else { throw Self.noTime }
    var (clock, zone): (Int?, Int?) = (nil, nil)
    if words.count == 2 || first.contains(":") {
      guard let parsed = Self.clock(words[words.count - 1]) else { throw Self.noTime }
      (clock, zone) = parsed
    }
    guard
      var word = words.count == 1 && clock != nil
        ? .relativeDay(daysAgo: 0, secondOfDay: clock) : try Self.day(first, clock)
    else { throw Self.noTime }
    if let zone {
      guard case .day(let date, let second?) = word else { throw Self.noTime }
      let seconds = Int64(date.daysSince1970) * 86_400 + Int64(second - zone)
      word = .instant(HistoryInstant(microseconds: seconds * HistoryInstant.second))
    }
    self = word
  }

  private static let noTime = ParseError(
    description: "a time is a span such as 7d, a day such as yesterday or 2026-11-01, or a day and a time")

  /// The span in the text, with or without `ago` behind it; `nil` if it is none.
  private static func span(_ text: Substring) throws(ParseError) -> TimeWord? {
    var text = text
    if text.hasSuffix("ago") { text = text.dropLast(3) }
    if text.first == "-" { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    let digits = text.prefix { ("0"..."9").contains($0) }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    // A year is a number of four digits without a unit.
    guard !digits.isEmpty, unit.first?.isLetter == true, digits.count <= 5, let count = Int(digits) else { return nil }
    switch unit {
    case "d", "day", "days": return .daysAgo(count)
    case "w", "week", "weeks": return .daysAgo(7 * count)
    case "mon", "month", "months": return try months(count)
    case "y", "yr", "year", "years": return try months(12 * count)
    default:
      guard let span = try? TimeSpan.parse(String(text)) else { return nil }
      return .ago(microseconds: Int64(span / .microseconds(1)))
    }
  }

  private static func months(_ count: Int) throws(ParseError) -> TimeWord {
    guard count <= 600 else { throw ParseError(description: "it is longer than 50 years") }
    return .monthsAgo(count)
  }

  /// The day in the text, or a month or a year where no time follows; `nil` if it is none.
  private static func day(_ text: Substring, _ clock: Int?) throws(ParseError) -> TimeWord? {
    switch text {
    case "now": return clock == nil ? .now : nil
    case "today": return .relativeDay(daysAgo: 0, secondOfDay: clock)
    case "yesterday": return .relativeDay(daysAgo: 1, secondOfDay: clock)
    default: break
    }
    let names = CivilDate.weekdays.map { $0.lowercased() }
    if text.count >= 3, let weekday = names.firstIndex(where: { $0.hasPrefix(text) }) {
      return .weekday(weekday, secondOfDay: clock)
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.allSatisfy { ("0"..."9").contains($0) } ? Int(part) : nil }
    guard numbers.count == parts.count, parts[0].count == 4, parts.dropFirst().allSatisfy({ $0.count <= 2 }) else {
      return nil
    }
    guard numbers.count <= 3 else { return nil }
    let (month, day) = (numbers.count > 1 ? numbers[1] : 1, numbers.count > 2 ? numbers[2] : 1)
    guard let date = CivilDate(year: numbers[0], month: month, day: day) else {
      throw ParseError(description: "there is no such day; days are from 1970-01-01 to 9999-12-31")
    }
    switch numbers.count {
    case 3: return .day(date, secondOfDay: clock)
    case 2: return clock == nil ? .month(date) : nil
    default: return clock == nil ? .year(date.year) : nil
    }
  }

  /// The time of day and the offset in seconds, from `14:30`, `14:30:05`, `14:30:05z` or `14:30+01:00`.
  private static func clock(_ text: Substring) -> (secondOfDay: Int, zone: Int?)? {
    var (text, zone): (Substring, Int?) = (text, nil)
    if text.last == "z" {
      (text, zone) = (text.dropLast(), 0)
    } else if let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      guard let offset = minutesAndSeconds(text[text.index(after: sign)...]) else { return nil }
      (zone, text) = (text[sign] == "+" ? offset : -offset, text[..<sign])
    }
    return minutesAndSeconds(text).map { ($0, zone) }
  }

  private static func minutesAndSeconds(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      (1...2).contains(part.count) && part.allSatisfy { ("0"..."9").contains($0) } ? Int(part) : nil
    }
    guard numbers.count == parts.count, (2...3).contains(numbers.count), numbers[0] < 24,
      numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    return numbers[0] * 3_600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
  }
}
