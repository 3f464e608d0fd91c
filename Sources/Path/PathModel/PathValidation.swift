/// The answer to "does the Internet answer?", as far as it is known. The service sends no packet to find out.
///
/// A satisfied path leads out of the machine; whether anybody answers there is another question. The service observes
/// what others have found out: the kernel about the routers of the path, NetworkManager, the DHCP server, and the
/// validator if it runs. The verdict belongs to the network of the path, and is dropped when the path is another one.
/// It never makes a path unsatisfied.
///
/// The equality of validations ignores all times and the texts of observations.
public struct PathValidation: Sendable {
  /// A verdict on a path. New ones may be added: treat an unknown one as ``unknown``.
  public struct State: RawRepresentable, Hashable, Sendable {
    /// The word of the verdict, as in JSON.
    public var rawValue: String

    /// A verdict by its word.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Nothing is known.
    public static let unknown = State(rawValue: "unknown")
    /// The Internet answers.
    public static let validated = State(rawValue: "validated")
    /// Only a part of the Internet answers, such as one address family.
    public static let partial = State(rawValue: "partial")
    /// The network wants a sign-in before it lets traffic through.
    public static let portal = State(rawValue: "portal")
    /// Nobody answers, such as the router.
    public static let unanswered = State(rawValue: "unanswered")

    /// The verdicts that are known here.
    package static let all = [unknown, validated, partial, portal, unanswered]
  }

  /// An observation about a path.
  public struct Observation: Sendable {
    /// The source of an observation. New ones may be added: treat an unknown one as "from somewhere".
    public struct Source: RawRepresentable, Hashable, Sendable {
      /// The name of the source, as in JSON.
      public var rawValue: String

      /// A source by name.
      public init(rawValue: String) {
        self.rawValue = rawValue
      }

      /// The kernel's entry for a router of the path.
      public static let router = Source(rawValue: "router")
      /// NetworkManager's verdict on the device that carries the traffic.
      public static let networkManager = Source(rawValue: "networkManager")
      /// The DHCP lease of the interface that carries the traffic.
      public static let lease = Source(rawValue: "lease")
      /// The network's programming interface for the sign-in (RFC 8908), as the validator has asked it.
      public static let signIn = Source(rawValue: "signIn")
      /// A host of the configuration, as the validator has asked it.
      public static let host = Source(rawValue: "host")
    }

    /// The origin of the observation.
    public var source: Source
    /// The verdict that it speaks for; ``State/unknown`` if it speaks for none.
    public var verdict: State
    /// The address family that it concerns; `nil` for both.
    public var family: IPAddress.Family?
    /// When it was made: microseconds since boot, suspend included (`CLOCK_BOOTTIME`).
    public var when: Int
    /// The observation in words, for people.
    public var text: String

    /// An observation.
    public init(source: Source, verdict: State, family: IPAddress.Family? = nil, when: Int, text: String) {
      (self.source, self.verdict, self.family) = (source, verdict, family)
      (self.when, self.text) = (when, text)
    }
  }

  /// The verdict.
  public var state: State
  /// Since when the verdict holds: microseconds since boot, suspend included (`CLOCK_BOOTTIME`). `nil` while the state
  /// is ``State/unknown``.
  public var since: Int?
  /// The address by which users sign in: the page that the validator has seen or was given, else the announced address.
  /// It is an `http` or `https` address of ASCII signs, and `nil` if none is known. The network may announce one
  /// although it wants no sign-in now.
  public var portal: String?
  /// The address of the page or the programming interface (RFC 8908) for the sign-in that the network announces; `nil`
  /// where it announces none.
  public var announced: String?
  /// All observations that speak for a verdict or name a portal. Those of the state, which decided, come first.
  public var evidence: [Observation]

  /// A validation.
  public init(
    state: State = .unknown, since: Int? = nil, portal: String? = nil, announced: String? = nil,
    evidence: [Observation] = []
  ) {
    (self.state, self.since, self.evidence) = (state, since, evidence)
    (self.portal, self.announced) = (portal, announced)
  }

  /// Nothing is known.
  public static let unknown = PathValidation()
}

extension PathValidation: Equatable {
  /// Equality of all but times and texts.
  public static func == (left: PathValidation, right: PathValidation) -> Bool {
    left.state == right.state && left.portal?.exact == right.portal?.exact
      && left.announced?.exact == right.announced?.exact && left.evidence == right.evidence
  }
}

extension PathValidation.Observation: Equatable {
  /// Equality of all but time and text.
  public static func == (left: Self, right: Self) -> Bool {
    left.source == right.source && left.verdict == right.verdict && left.family == right.family
  }
}

// In texts for people, each of these appears as its word.
extension PathValidation.State: CustomStringConvertible {
  /// The word of the verdict.
  public var description: String { rawValue }
}

extension PathValidation.Observation.Source: CustomStringConvertible {
  /// The name of the source.
  public var description: String { rawValue }
}

extension PathValidation.State {
  /// Whether traffic fails, as far as is known.
  package var isFault: Bool { self == .partial || self == .portal || self == .unanswered }

  /// The verdict on a path that is still connected, for people.
  package var butConnected: String { "connected, but \(words ?? rawValue.inOneLine)" }

  /// The verdict in a few words behind "connected", for people; `nil` if there is nothing to say.
  package var words: String? {
    switch self {
    case .validated: "validated"
    case .partial: "answered in part"
    case .portal: "sign-in wanted"
    case .unanswered: "unanswered"
    default: nil
    }
  }
}

extension PathValidation {
  /// Whether an observation decided the state. Of a partial answer, all observations with a verdict did.
  package func isDeciding(_ observation: Observation) -> Bool {
    guard state != .unknown, observation.verdict != .unknown else { return false }
    return state == .partial || observation.verdict == state
  }

  /// The observations that explain the state to people: those that decided it. Of a partial answer, these are the ones
  /// that fail, if there are any.
  package var reasons: [Observation] {
    let deciding = evidence.filter(isDeciding)
    // By HTTP alone, a right answer speaks for a partial one, and only its text says that it is right.
    let failing = deciding.filter { $0.verdict != .validated && !$0.text.hasSuffix(": the right answer") }
    return state == .partial && !failing.isEmpty ? failing : deciding
  }

  /// Whether the network wants a sign-in. Many let some hosts, or one address family, through before it.
  package var wantsSignIn: Bool { state == .portal || state == .partial && evidence.contains { $0.verdict == .portal } }
}

// MARK: Fields

extension PathValidation: FieldObject {
  package static let typeName = "Validation"
  package static let blank = unknown

  /// The table of the fields.
  package static let fields: [Field<PathValidation>] = [
    Field(
      "state", \.state, { $0.state = $1 }, absent: .unknown,
      "The verdict: \(State.all.map(\.rawValue).joined(separator: ", "))."),
    Field(
      "since", \.since, { $0.since = $1 },
      "Since when it holds, in microseconds since boot, suspend included; null while it is unknown."),
    Field(
      "portal", \.portal, { $0.portal = $1.flatMap { PortalAddress.text(of: $0.utf8) } },
      "The address by which users sign in, as it was seen or announced, or null."),
    Field(
      "announced", \.announced, { $0.announced = $1.flatMap { PortalAddress.text(of: $0.utf8) } },
      "The address for the sign-in that the network has announced, or null."),
    Field(
      "evidence", \.evidence, { $0.evidence = $1 },
      "The observations, those that decided first, as objects; see below."),
  ]
}

extension PathValidation.Observation: FieldObject {
  package static let typeName = "Observation"
  package static let blank = Self(source: Source(rawValue: ""), verdict: .unknown, when: 0, text: "")

  /// The table of the fields.
  package static let fields: [Field<Self>] = [
    Field("source", \.source, { $0.source = $1 }, "The origin: router, networkManager, lease, signIn or host."),
    Field(
      "verdict", \.verdict, { $0.verdict = $1 }, absent: .unknown,
      "The verdict that it speaks for; unknown for none."),
    Field("family", \.family, { $0.family = $1 }, "IPv4 or IPv6; null for both."),
    Field(
      "when", \.when, { $0.when = $1 }, absent: 0,
      "When it was made, in microseconds since boot, suspend included."),
    Field("text", \.text, { $0.text = $1 }, absent: "", "The observation in words."),
  ]
}

extension IPAddress.Family {
  /// The name of the family: `IPv4` or `IPv6`.
  package var name: String { self == .ipv4 ? "IPv4" : "IPv6" }
}

// In any encoder, both have the form of JSON.
extension PathValidation: Encodable {
  /// Encodes all fields, and `nil` as null.
  public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }
}

extension PathValidation.Observation: Encodable {
  /// Encodes all fields, and `nil` as null.
  public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }
}

extension PathValidation.State: Encodable {}
extension PathValidation.Observation.Source: Encodable {}
