internal import History
package import PathModel

/// A report as JSON.
package enum ReportJSON {
  /// Appends the report as one object.
  ///
  /// A moment is a text of RFC 3339 in local time, with the same moment in microseconds since 1970 UTC beside it.
  /// Lengths are in microseconds.
  package static func write(
    _ report: HistoryReport, _ calendar: LocalCalendar, zone: String, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    write("since", report.window.lowerBound, calendar, to: &writer)
    write("until", report.window.upperBound, calendar, to: &writer)
    text("timeZone", zone, to: &writer)
    text("requirement", report.query.requirement?.description, to: &writer)
    text("interface", report.query.interface, to: &writer)
    integer("atLeastMicroseconds", Int64(report.query.atLeast / .microseconds(1)), to: &writer)
    if let from = report.recordsFrom {
      write("recordsSince", from, calendar, to: &writer)
    }
    integer("unwrittenChanges", Int64(report.unwritten), to: &writer)
    write(report.totals, to: &writer)
    integer("longestMicroseconds", report.longest, to: &writer)
    integer("medianMicroseconds", report.median, to: &writer)
    writer.key("causes")
    writer.array(report.causes) { writer, cause in
      writer.beginObject()
      text("code", cause.cause.code, to: &writer)
      text("words", cause.cause.words, to: &writer)
      integer("outages", cause.outages, to: &writer)
      integer("microseconds", cause.duration, to: &writer)
      integer("longestMicroseconds", cause.longest, to: &writer)
      writer.endObject()
    }
    writer.key("unvalidated")
    write(report.unvalidated, to: &writer)
    writer.key("days")
    writer.array(Array(report.timeline.rows.indices)) { writer, number in
      writer.beginObject()
      text("day", report.timeline.rows[number].date.description, to: &writer)
      write(report.rows[number], to: &writer)
      writer.endObject()
    }
    writer.key("outages")
    writer.array(report.outages) { writer, outage in write(outage, calendar, to: &writer) }
    writer.endObject()
  }

  private static func write(_ unvalidated: [PathValidation.State: Int64]?, to writer: inout JSONWriter) {
    guard let unvalidated else { return writer.null() }
    writer.array(unvalidated.sorted { $0.key.rawValue < $1.key.rawValue }) { writer, time in
      writer.beginObject()
      text("state", time.key.rawValue, to: &writer)
      integer("microseconds", time.value, to: &writer)
      writer.endObject()
    }
  }

  private static func write(_ outage: Outage, _ calendar: LocalCalendar, to writer: inout JSONWriter) {
    writer.beginObject()
    write("start", outage.start, calendar, to: &writer)
    write("end", outage.end, calendar, to: &writer)
    integer("durationMicroseconds", outage.duration, to: &writer)
    writer.key("beganBefore")
    writer.boolean(outage.beganBefore)
    text("ending", outage.ending.rawValue, to: &writer)
    text("cause", outage.cause.code, to: &writer)
    text("words", outage.cause.words, to: &writer)
    text("sentence", outage.mainPart.sentence, to: &writer)
    writer.key("causes")
    writer.array(outage.causes) { writer, part in
      writer.beginObject()
      text("code", part.cause.code, to: &writer)
      text("sentence", part.sentence, to: &writer)
      integer("microseconds", part.duration, to: &writer)
      writer.endObject()
    }
    write("lost", outage.lost, to: &writer)
    write("back", outage.cameBack, to: &writer)
    writer.endObject()
  }

  private static func write(_ key: String, _ carrier: Carrier?, to writer: inout JSONWriter) {
    writer.key(key)
    guard let carrier else { return writer.null() }
    writer.beginObject()
    text("interface", carrier.interface, to: &writer)
    text("kind", carrier.kind, to: &writer)
    text("gateway", carrier.gateway, to: &writer)
    text("network", carrier.network, to: &writer)
    writer.endObject()
  }

  private static func write(_ totals: PathTotals, to writer: inout JSONWriter) {
    writer.key("availability")
    let watched = totals.watched
    if watched > 0 { writer.number(Double(totals.satisfied) / Double(watched)) } else { writer.null() }
    integer("outageCount", totals.outages, to: &writer)
    integer("connectedMicroseconds", totals.satisfied, to: &writer)
    integer("offlineMicroseconds", totals.unsatisfied, to: &writer)
    integer("suspendedMicroseconds", totals.suspended, to: &writer)
    integer("notWatchedMicroseconds", totals.notWatched, to: &writer)
    integer("unknownMicroseconds", totals.unknown, to: &writer)
  }

  private static func write(
    _ key: String, _ instant: HistoryInstant, _ calendar: LocalCalendar, to writer: inout JSONWriter
  ) {
    text(key, calendar.localTime(of: instant).precise, to: &writer)
    integer("\(key)Microseconds", instant.microseconds, to: &writer)
  }

  private static func text(_ key: String, _ value: String?, to writer: inout JSONWriter) {
    writer.key(key)
    if let value { writer.string(value) } else { writer.null() }
  }

  private static func integer(_ key: String, _ value: Int64?, to writer: inout JSONWriter) {
    writer.key(key)
    if let value { writer.integer(value) } else { writer.null() }
  }
}
