import ConnectivityCore
import FoundationEssentials

/// The report to the page: the view to show, and the details of the path.
struct Report: Equatable, Encodable {
  /// `checking`, `online`, `offline` or `degraded`.
  var phase: String
  /// The phase in a word or two, for people.
  var heading: String
  /// The reason for the phase if it is offline or degraded, as a sentence; empty otherwise.
  var reason = ""
  /// The cause in the words of administrators; `nil` if there is nothing to repair.
  var diagnosis: Diagnosis?
  /// The error to show, and the ways on from it.
  var problem: Problem?
  /// The path in words.
  var summary: String
  var path: Path

  /// The cause of an offline phase.
  struct Diagnosis: Equatable, Encodable {
    var code: String
    var subject: String?
    var sentence: String
  }

  /// An error with its options. `PagePresenter` makes it, and waits for the choice.
  struct Problem: Equatable, Encodable {
    /// Names the problem in the request that chooses an option.
    var id: String
    var summary: String
    var reason: String?
    var suggestion: String?
    var options: [Option]

    struct Option: Equatable, Encodable {
      var id: String
      var title: String
      /// `standard`, `cancel` or `destructive`.
      var role: String
    }
  }

  /// The part of a path that a page can show.
  struct Path: Equatable, Encodable {
    var status: String
    var knowledge: String
    var interfaces: [Interface]
    var gateways: [String]
    var usesTunnel: Bool
    var isExpensive: Bool
    var isConstrained: Bool
    var supportsIPv4: Bool
    var supportsIPv6: Bool
    var supportsDNS: Bool
  }

  /// The part of an interface that a page can show.
  struct Interface: Equatable, Encodable {
    var name: String
    var type: String
    var addresses: [String]
  }

  init(_ phase: ConnectivityPhase, _ path: NetworkPath) {
    switch phase {
    case .checking: (self.phase, heading) = ("checking", "Looking for the network")
    case .online: (self.phase, heading) = ("online", "Online")
    case .offline(let unsatisfied): (self.phase, heading, reason) = ("offline", "Offline", unsatisfied.sentence)
    case .degraded(.noNameServer):
      (self.phase, heading, reason) = ("degraded", "Partly online", "Names of servers cannot be looked up.")
    case .degraded(.notKnown):
      (self.phase, heading, reason) = (
        "degraded", "Perhaps online", "Whether the network is there cannot be told at the moment."
      )
    }
    if case .offline = phase {
      diagnosis = path.diagnosis.map { Diagnosis(code: $0.code.rawValue, subject: $0.subject, sentence: $0.sentence) }
    }
    summary = "\(path)"
    self.path = Path(
      status: path.status.rawValue, knowledge: path.knowledge.rawValue,
      interfaces: path.interfaces.map {
        Interface(name: $0.name, type: $0.type.words, addresses: $0.addresses.map(\.description))
      },
      gateways: path.gateways.map { "\($0)" }, usesTunnel: path.usesTunnel, isExpensive: path.isExpensive,
      isConstrained: path.isConstrained, supportsIPv4: path.supportsIPv4, supportsIPv6: path.supportsIPv6,
      supportsDNS: path.supportsDNS)
  }

  /// The report as one line of JSON.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { preconditionFailure("texts and booleans can be encoded") }
    return String(decoding: data, as: UTF8.self)
  }
}

extension UnsatisfiedReason {
  /// The reason for people in front of a screen who do not administer its network.
  fileprivate var sentence: String {
    switch self {
    case .noInterface: "No network device is switched on."
    case .noCarrier: "No cable is plugged in, and no Wi-Fi is in reach."
    case .noAddress: "The network has given this device no address."
    case .noRoute: "There is no way to the Internet."
    default: words.prefix(1).uppercased() + words.dropFirst() + "."
    }
  }
}
