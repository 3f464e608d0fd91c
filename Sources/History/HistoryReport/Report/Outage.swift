package import History
package import PathModel

/// The cause of downtime.
package struct OutageCause: Hashable, Sendable {
  /// The reason of the path, or ``UnsatisfiedReason/requirementNotMet``.
  package var reason: UnsatisfiedReason
  /// The cause as people read it, without a full stop.
  package var words: String
  /// Whether the path itself is the subject of the question, so that its diagnosis is the cause.
  private var isOfPath = true

  /// The name of the cause, as in JSON.
  package var code: String { reason.rawValue.inOneLine }

  /// The cause of an unsatisfied path.
  package init(_ reason: UnsatisfiedReason) {
    self.reason = reason
    words =
      Self.words[reason]
      ?? (reason == RecordedPath.requiresConnection ? "not connected yet" : reason.rawValue.inOneLine)
  }

  /// The cause why a path is downtime in the answer to a question.
  ///
  /// The reason of an unsatisfied path is that of the whole machine. It is no cause for another interface than the
  /// culprit, and for a requirement only the reason why there was no path at all.
  package init(_ path: RecordedPath, _ query: HistoryQuery) {
    guard query.judged != nil else {
      self.init(path.reason ?? .requirementNotMet)
      return
    }
    if let reason = path.reason {
      self.init(reason)
      let culprit = path.path.knownDiagnosis?.subject
      if let interface = query.interface, culprit?.exact == interface.exact { return }
      words = "offline, \(words)"
      if query.interface != nil { (self.reason, words) = (.requirementNotMet, "no path at all") }
    } else {
      self.init(.requirementNotMet)
      if let carrier = Carrier(path) {
        let cost = (path.isExpensive ? ", metered" : "") + (path.isConstrained ? ", constrained" : "")
        words = "connected over \(carrier.interface) (\(carrier.kind))\(cost)"
      }
      let validation = path.path.validation.state
      if query.requirement?.dependsOnValidation == true, validation.isFault {
        (self.reason, words) = (UnsatisfiedReason(rawValue: validation.rawValue), validation.butConnected)
      }
    }
    isOfPath = false
  }

  /// The culprit in a sentence without a full stop; `nil` where it is not known, or not the cause.
  func sentence(of path: RecordedPath) -> String? {
    isOfPath && !path.isSatisfied ? path.path.knownDiagnosis?.sentence.inOneLine : nil
  }

  /// The place of the cause, seen from the router: what a provider is not responsible for. `nil` if it is not known.
  package var place: String? { Self.places[reason] }

  /// Reasons in the past, in few words. The words of ``UnsatisfiedReason`` ask and advise.
  private static let words: [UnsatisfiedReason: String] = [
    .noInterface: "no network interface was up", .noCarrier: "no carrier",
    .dormant: "the link waited for authentication", .noAddress: "no address", .noRoute: "no route",
    .linkDownRoute: "the preferred route led over a dead link", .prohibited: "a route or rule forbade it",
    .sinkInterface: "a device discarded all packets, such as a VPN's kill switch",
    .requirementNotMet: "not as required", .overridden: "an administrator said so",
  ]

  private static let places: [UnsatisfiedReason: String] = [
    .noInterface: "this machine", .linkDownRoute: "this machine", .prohibited: "this machine",
    .sinkInterface: "this machine", .noCarrier: "from here to the router", .dormant: "from here to the router",
    .noAddress: "the router, or before it", .noRoute: "the router, or before it",
    .overridden: "this machine",
  ]
}

/// The interface that carried the traffic.
package struct Carrier: Hashable, Sendable {
  /// The name of the interface, in one line.
  package var interface: String
  /// The type of the interface in words, such as `Wi-Fi`.
  package var kind: String
  /// The router; `nil` where there was none.
  package var gateway: String?
  /// The name of the wireless network; `nil` where it is not known.
  package var network: String?

  /// The carrier of a path; `nil` if no interface carried its traffic.
  package init?(_ path: RecordedPath) {
    guard let first = path.interface else { return nil }
    interface = first.name.inOneLine
    kind = path.path.kindInWords(of: first)
    gateway = path.gateway?.description.inOneLine
    network = path.networkName?.inOneLine
  }

  /// The interface, and the network if it is known.
  package var words: String { network.map { "\(interface) (\($0))" } ?? interface }
}

/// A time in which the path was unsatisfied, or not as required, without a break.
package struct Outage: Hashable, Sendable {
  /// The event that ended an outage.
  package enum Ending: String, Hashable, Sendable {
    /// The path came back.
    case connected
    /// The machine was suspended, still offline.
    case suspended
    /// The recording ended, still offline.
    case notWatched
    /// The service lost its knowledge of the path.
    case unknown
    /// It lasts still, or beyond the window.
    case lasting
  }

  /// The part of an outage with one cause.
  package struct CausePart: Hashable, Sendable {
    /// The cause.
    package var cause: OutageCause
    /// Its downtime in microseconds.
    package var duration: Int64
    /// The culprit in a sentence without a full stop, when the cause came first; `nil` where it is not known.
    package var sentence: String?

    /// The culprit if it is known, else the cause in general words.
    package var words: String { sentence ?? cause.words }
    /// The culprit or cause in the words before the first colon, behind which a sentence asks or advises.
    package var briefWords: String {
      guard let colon = words.indices.first(where: { words[$0...].hasPrefix(": ") }) else { return words }
      return String(words[..<colon])
    }
  }

  /// When it began, or the start of the window.
  package var start: HistoryInstant
  /// When it ended, or the end of the window.
  package var end: HistoryInstant
  /// The downtime in microseconds, by a clock that nobody sets.
  package var duration: Int64
  /// Whether it began before the window.
  package var beganBefore = false
  /// The event that ended it.
  package var ending = Ending.lasting
  /// The causes, in the order of their first occurrence; never empty.
  package var causes: [CausePart]
  /// The interface that had carried the traffic; `nil` when it is not known.
  package var lost: Carrier?
  /// The interface that carried the traffic afterwards; `nil` unless ``ending`` is `connected`.
  package var cameBack: Carrier?

  /// The part with the cause that lasted longest; of equals, the first.
  package var mainPart: CausePart {
    var main = causes[0]
    for cause in causes where cause.duration > main.duration { main = cause }
    return main
  }

  /// The cause that lasted longest; of equals, the first.
  package var cause: OutageCause { mainPart.cause }
}
