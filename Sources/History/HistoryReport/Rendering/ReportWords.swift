internal import History
internal import PathModel

/// The sentences of a report that its forms have in common.
extension HistoryReport {
  /// The subject of the figures: `connected`, or the requirement.
  var subject: String {
    guard let requirement = query.requirement else {
      return query.interface.map { "connected through \($0.inOneLine)" } ?? "connected"
    }
    let place = query.interface.map { " through \($0.inOneLine)" } ?? ""
    return "'\(requirement.description.inOneLine)'\(place)"
  }

  /// The figures in one sentence.
  package var summary: String {
    guard totals.watched > 0 else { return "nothing is known of this time" }
    var text = "\(subject) \(LengthText.share(totals)) of \(LengthText.text(totals.watched))"
    guard totals.outages > 0 || totals.unsatisfied > 0 else { return text + ", without an outage" }
    text += ": \(LengthText.outages(totals.outages)), \(LengthText.text(totals.unsatisfied)) in all"
    if totals.outages > 1 {
      text += ", longest \(LengthText.text(longest))"
      if let median { text += ", median \(LengthText.text(median))" }
    }
    return text
  }

  /// The time that is neither uptime nor downtime, in words; `nil` without any.
  package var gaps: String? {
    let parts = [("asleep", totals.suspended), ("not watched", totals.notWatched), ("not known", totals.unknown)]
      .filter { $0.1 > 0 }.map { "\($0.0) \(LengthText.text($0.1))" }
    return parts.isEmpty ? nil : "\(parts.joined(separator: ", ")): neither uptime nor downtime"
  }

  /// The times that were connected although the Internet did not answer, longest first, in sentences.
  package var connectedInVain: [String] {
    (unvalidated ?? [:]).sorted { ($0.value, $1.key.rawValue) > ($1.value, $0.key.rawValue) }
      .map { "\($0.key.butConnected): \(LengthText.text($0.value)), which is no outage" }
  }

  /// The remark about changes that are missing because they could not be written yet; `nil` if there are none.
  package static func words(unwritten: Int) -> String? {
    if unwritten == 0 { return nil }
    return "\(unwritten) \(unwritten == 1 ? "change is" : "changes are") missing here: the recorder cannot write now "
      + "('journalctl -u pathmonitor-history' has the reason)"
  }

  /// Remarks about the limits of the figures.
  package func remarks(_ calendar: LocalCalendar) -> [String] {
    var remarks = [Self.words(unwritten: unwritten)].compactMap(\.self)
    if window.lowerBound > askedWindow.lowerBound {
      remarks.append("recorded since \(calendar.localTime(of: window.lowerBound).minute)")
    }
    if query.atLeast > .zero {
      remarks.append("outages shorter than \(TimeSpan.text(query.atLeast)) count as connected")
    }
    if let recordsFrom {
      let start = calendar.localTime(of: recordsFrom).minute
      remarks.append(
        query.judged == nil && query.atLeast == .zero
          ? "single outages are listed since \(start): only the sums of earlier ones are left"
          : "judged since \(start): only the sums of earlier records are left")
    }
    return remarks
  }
}

extension Outage {
  /// The length in words, with its limits.
  package var lengthInWords: String {
    let text = LengthText.text(duration)
    if ending == .lasting { return "\(text) so far" }
    return beganBefore ? "\(text) or more" : text
  }

  /// The interface that it came back over, or the event that ended it.
  package var backInWords: String {
    switch ending {
    case .connected: cameBack?.words ?? ""
    case .suspended: "(asleep)"
    case .notWatched: "(not watched)"
    case .unknown: "(not known)"
    case .lasting: ""
    }
  }
}

extension LocalTime {
  /// The moment as `2026-11-01 14:02`.
  var minute: String { "\(date) \(hourAndMinute)" }
  /// The moment as `2026-11-01 14:02:11`.
  var second: String { "\(date) \(clock)" }
}
