extension TimeSpan {
  /// A span for people, in its one or two largest units: `2 h 5 min`, `12 s`, `350 ms`.
  ///
  /// The rest, in smaller units, is cut off.
  package static func text(_ span: Duration) -> String {
    let (seconds, attoseconds) = max(.zero, span).components
    guard seconds > 0 else { return "\(attoseconds / 1_000_000_000_000_000) ms" }
    let units: [(name: String, seconds: Int64)] = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]
    let first = units.firstIndex { seconds >= $0.seconds } ?? units.count - 1
    var rest = seconds
    var words: [String] = []
    for unit in units[first...].prefix(2) {
      let count = rest / unit.seconds
      rest %= unit.seconds
      if count > 0 { words.append("\(count) \(unit.name)") }
    }
    return words.joined(separator: " ")
  }
}
