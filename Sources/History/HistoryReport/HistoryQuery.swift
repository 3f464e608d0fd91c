package import PathHistory
package import PathModel

/// A question about the history: which time, which paths, and in which form the answer is wanted.
///
/// `pathctl history` reads it from its command line, and hands it as words to the program that reads the store.
package struct HistoryQuery: Hashable, Sendable {
  /// The form of the answer.
  package enum Form: Hashable, Sendable {
    /// A summary, a timeline and a list for people.
    case picture
    /// The report as one JSON object.
    case json
    /// The records as comma-separated values.
    case csv
    /// A page in the file; `-` is standard output.
    case html(file: String)
    /// The plot of the page alone, in the file; `-` is standard output.
    case svg(file: String)
  }

  /// The start of the window; `nil` for seven days before its end.
  package var since: TimeWord?
  /// The end of the window; `nil` for the present.
  package var until: TimeWord?
  /// The interface whose own usable path is judged; `nil` for the path of the machine.
  package var interface: String?
  /// The requirement that stands for "connected"; `nil` for any path.
  package var requirement: PathRequirement?
  /// Shorter outages are left out.
  package var atLeast: Duration = .zero
  /// The form of the answer.
  package var form = Form.picture
  /// The file of the history; `nil` for the usual one.
  package var store: String?
  /// Whether a terminal shows the picture in a pager.
  package var isPaged = true

  /// The question of `pathctl history` without options.
  package init() {}

  /// A mistake in the words of a question.
  package struct WordError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The mistake in words, without a full stop.
    package var description: String
  }

  /// The days of a window whose start is not given.
  package static let usualDays = 7

  /// The window that the question means.
  package func window(now: HistoryInstant, _ calendar: LocalCalendar) -> Range<HistoryInstant> {
    let end = min(now, until?.instant(.until, now: now, calendar) ?? now)
    let start = (since ?? .daysAgo(Self.usualDays)).instant(.since, now: since == nil ? end : now, calendar)
    return min(start, end)..<end
  }

  /// The requirement that a path has to meet, with the interface in it; `nil` if any path will do.
  package var judged: PathRequirement? {
    guard let interface else { return requirement }
    return requirement.map { .via(interface) && $0 } ?? .via(interface)
  }
}

/// The words between the two programs.
extension HistoryQuery {
  private enum Key: String, CaseIterable {
    case since, until, interface, requirement
    case atLeast = "at-least"
    case json, csv, html, svg, store
    case noPager = "no-pager"
  }

  /// The words of the question for ``init(words:)``.
  ///
  /// - Parameters:
  ///   - since: The text that the user wrote for ``since``; `nil` if there is none.
  ///   - until: The text that the user wrote for ``until``; `nil` if there is none.
  package func words(since: String?, until: String?) -> [String] {
    var words: [String] = []
    func add(_ key: Key, _ value: String?) {
      if let value { words.append("--\(key.rawValue)=\(value)") }
    }
    add(.since, since)
    add(.until, until)
    add(.interface, interface)
    add(.requirement, requirement?.description)
    if atLeast > .zero { add(.atLeast, "\(Int64(atLeast / .microseconds(1)))us") }
    switch form {
    case .picture: break
    case .json: words.append("--\(Key.json.rawValue)")
    case .csv: words.append("--\(Key.csv.rawValue)")
    case .html(let file): add(.html, file)
    case .svg(let file): add(.svg, file)
    }
    add(.store, store)
    if !isPaged { words.append("--\(Key.noPager.rawValue)") }
    return words
  }

  /// The question in words that ``words(since:until:)`` made.
  package init(words: [String]) throws(WordError) {
    for word in words {
      let parts = word.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      guard parts[0].hasPrefix("--"), let key = Key(rawValue: String(parts[0].dropFirst(2))) else {
        throw WordError(description: "\(word.quotedInLine) is no part of a question about the history")
      }
      try set(key, parts.count == 2 ? parts[1] : "")
    }
  }

  private mutating func set(_ key: Key, _ value: String) throws(WordError) {
    do {
      switch key {
      case .since: since = try TimeWord(value)
      case .until: until = try TimeWord(value)
      case .interface: interface = value
      case .requirement: requirement = try PathRequirement(value)
      case .atLeast: atLeast = try TimeSpan.parse(value)
      case .json: form = .json
      case .csv: form = .csv
      case .html: form = .html(file: value)
      case .svg: form = .svg(file: value)
      case .store: store = value
      case .noPager: isPaged = false
      }
    } catch {
      throw WordError(description: "\(value.quotedInLine) cannot stand behind --\(key.rawValue): \(error)")
    }
  }
}
