package import History
package import PathModel
package import Programs

/// A question about the history: which time, which paths, and in which form the answer is wanted.
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

extension HistoryQuery {
  /// The judgement on a state.
  package func judgement(of state: HistoryState) -> Judgement {
    switch state {
    case .suspended: return .suspended
    case .unknown: return .unknown
    case .path(let path):
      // Of a page for the provider, the word of an administrator is no part.
      if isForProvider, path.reason == .overridden { return .unknown }
      guard let judged else { return path.isSatisfied ? .connected : .offline }
      switch judged.verdict(on: path.path) {
      case .met: return .connected
      case .unknown: return .unknown
      case .notMet: return .offline
      }
    }
  }

  /// Whether the answer is a page for the provider, or its plot.
  package var isForProvider: Bool {
    switch form {
    case .html, .svg: true
    case .picture, .json, .csv: false
    }
  }

  /// The message for a time without records, with a command that shows more of the same history.
  package var nothingRecorded: String {
    let store = store.map { " --store \($0.shellWord)" } ?? ""
    return "nothing was recorded in this time. 'pathctl history\(store) --since 1y' shows more."
  }
}

/// The command line of a question.
extension HistoryQuery {
  private static let usage = "pathctl history [OPTION...]; see 'pathctl help history'"

  /// The question in the words behind `pathctl history`.
  ///
  /// - Throws: ``UsageError`` with the mistake and a correct use.
  package init(arguments: [String]) throws(UsageError) {
    var line = Line()
    var reader = CommandLineReader(arguments)
    let options = HistoryOption.table { (line: inout Line, option, value) throws(UsageError) in
      try line.apply(option, value)
    }
    let operands = try reader.operands(into: &line, options, usage: Self.usage)
    if let word = operands.first {
      throw UsageError("\(word.quotedInLine) is one argument too many for 'history'. Correct use: \(Self.usage)")
    }
    if line.forms.count > 1 { throw UsageError(exclusive: line.forms) }
    self = line.query
  }

  /// A question while its command line is read.
  private struct Line {
    var query = HistoryQuery()
    /// The options that name the form of the answer.
    var forms: [String] = []

    mutating func apply(_ option: HistoryOption, _ value: OptionValue) throws(UsageError) {
      switch option {
      case .since: query.since = try value.moment()
      case .until: query.until = try value.moment()
      case .interface: query.interface = value.text
      case .requirement: query.requirement = try value.requirement()
      case .atLeast: query.atLeast = try value.time()
      case .json: use(.json, value)
      case .csv: use(.csv, value)
      case .html: use(.html(file: try value.path()), value)
      case .svg: use(.svg(file: try value.path()), value)
      case .store: query.store = try value.path()
      case .noPager: query.isPaged = false
      }
    }

    private mutating func use(_ form: HistoryQuery.Form, _ value: OptionValue) {
      query.form = form
      if !forms.contains(value.option) { forms.append(value.option) }
    }
  }
}

extension OptionValue {
  /// The moment in the value.
  fileprivate func moment() throws(UsageError) -> TimeWord {
    do throws(TimeWord.ParseError) {
      return try TimeWord(text)
    } catch {
      throw rejected(as: "time", because: error.description)
    }
  }
}
