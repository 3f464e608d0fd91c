import Connectivity
import Foundation

/// The size of a screen in characters.
struct ScreenSize: Equatable {
  var rows: Int
  var columns: Int
}

/// A line of a page.
struct Line: Equatable {
  enum Style {
    case plain, heading, faint, selected
  }

  var text: String
  var style = Style.plain
}

/// The page of the reader, which depends on its state alone.
extension Reader {
  /// The lines of the screen: one for each row, none wider than the screen.
  var page: [Line] {
    let footer = Line(text: " " + keys, style: .faint)
    var lines = [Line(text: " " + title, style: .heading), Line(text: "")]
    lines += notices + content
    // The line of keys stays visible, whatever the content.
    let empty = max(0, size.rows - lines.count - 1)
    lines = lines.prefix(max(0, size.rows - 1)) + Array(repeating: Line(text: ""), count: empty) + [footer]
    return lines.suffix(size.rows).map { Line(text: $0.text.cut(toColumns: size.columns), style: $0.style) }
  }

  /// The number of lines by which the opened post can be scrolled.
  var longestScroll: Int {
    max(0, openedLines.count - roomForContent)
  }

  private var roomForContent: Int {
    max(1, size.rows - 3 - notices.count)
  }

  /// The notices above a list: its age, and any problem.
  private var notices: [Line] {
    guard let list else { return [] }
    let age = "This is the list as it was at \(list.readAt.asTime)."
    var sentences: [String] = []
    switch phase {
    case .offline(let reason):
      sentences.append("Offline since \((offlineSince ?? list.readAt).asTime): \(reason.forReaders). \(age)")
    case .degraded(let degradation):
      sentences.append(degradation.forReaders + " " + age)
    case .online, .checking: break
    }
    if let problem { sentences.append(problem + (sentences.isEmpty ? " " + age : "")) }
    let lines = sentences.flatMap { $0.wrapped(toColumns: size.columns - 2) }.map { Line(text: " " + $0) }
    return lines.isEmpty ? [] : lines + [Line(text: "")]
  }

  private var content: [Line] {
    if opened != nil {
      return Array(openedLines.dropFirst(scroll).prefix(roomForContent))
    }
    guard let list else { return messageInPlaceOfList }
    if list.posts.isEmpty { return [Line(text: " The list is empty: nobody has posted anything yet.")] }
    // The selected post stays visible.
    let first = max(0, min(selection - roomForContent / 2, list.posts.count - roomForContent))
    return list.posts.enumerated().dropFirst(first).prefix(roomForContent).map { index, post in
      index == selection
        ? Line(text: " > " + post.title, style: .selected) : Line(text: "   " + post.title)
    }
  }

  private var openedLines: [Line] {
    guard let opened else { return [] }
    let width = size.columns - 2
    let title = opened.title.wrapped(toColumns: width).map { Line(text: " " + $0, style: .heading) }
    return title + [Line(text: "")] + opened.body.wrapped(toColumns: width).map { Line(text: " " + $0) }
  }

  /// The page without a list.
  private var messageInPlaceOfList: [Line] {
    var heading: String
    var sentences: [String] = []
    switch phase {
    case .offline(let reason):
      heading = "Offline"
      sentences = [
        "\(reason.forReaders.capitalizedFirst).", "The posts appear by themselves when the network is back.",
      ]
      if let problem { sentences.append("Tried all the same: \(problem)") }
    case .checking where attempt == nil && problem == nil:
      heading = "Looking for the network …"
    case .checking, .online, .degraded:
      if let problem {
        heading = "No posts"
        sentences = [problem, "Press r to try again."]
      } else {
        heading = "Reading the posts …"
      }
      if case .degraded(let degradation) = phase { sentences.append(degradation.forReaders) }
    }
    return [Line(text: " " + heading, style: .heading), Line(text: "")]
      + sentences.flatMap { $0.wrapped(toColumns: size.columns - 2) }.map { Line(text: " " + $0) }
  }

  private var title: String {
    if attempt != nil { return "Posts  ·  reading …" }
    guard let list else { return "Posts" }
    return "Posts  ·  read at \(list.readAt.asTime)"
  }

  private var keys: String {
    opened == nil ? "r refresh  ↑↓ select  Enter read  q quit" : "r refresh  ↑↓ scroll  Esc back  q quit"
  }
}

extension UnsatisfiedReason {
  /// The reason for people who read posts and do not administer networks, without a full stop.
  var forReaders: String {
    switch self {
    case .noInterface: "no network device is switched on"
    case .noCarrier: "no cable is plugged in and no Wi-Fi in reach"
    case .dormant: "the network waits for a login"
    case .noAddress: "the network has given this machine no address"
    case .noRoute: "there is no way to the Internet"
    default: words
    }
  }
}

extension ConnectivityPhase.Degradation {
  /// The problem, as a sentence.
  fileprivate var forReaders: String {
    switch self {
    case .noNameServer: "Names of servers cannot be looked up at the moment."
    case .notKnown: "Whether the network is there cannot be told at the moment."
    }
  }
}

extension Date {
  /// Such as `2026-11-22 04:12:21`, in local time.
  fileprivate var asTime: String {
    formatted(
      Date.ISO8601FormatStyle(timeZone: .current).year().month().day().dateTimeSeparator(.space)
        .time(includingFractionalSeconds: false))
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
