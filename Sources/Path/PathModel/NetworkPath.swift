/// The network path of an unbound socket at one moment: its status, its interfaces and its cost.
///
/// *Satisfied* means that the kernel has a usable route now, not that the Internet answers.
///
/// The equality of paths ignores ``sequence``, ``boottimeMicroseconds``, ``changed``, the texts of evidence, the
/// sentence of the ``diagnosis``, and the times and texts of the ``validation``.
public struct NetworkPath: Sendable {
  /// Whether the path can be used.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// There is a usable route.
    case satisfied
    /// There is none; ``NetworkPath/unsatisfiedReason`` says why.
    case unsatisfied
    /// There is none yet, but using it may bring one up; also the status of a path that is not known yet.
    case requiresConnection
  }

  /// How far the path can be trusted.
  public enum Knowledge: String, Hashable, Sendable, CaseIterable {
    /// It was evaluated from the present answers of the kernel.
    case known
    /// It was true until the source was lost.
    case stale
    /// It has never been evaluated.
    case unknown
  }

  /// The state of the path, without its place in a stream.
  ///
  /// The copies of a path share it. It never changes: a path that is changed gets a new one. So a copy of a path costs
  /// only a reference (row `library-read`), and two copies are known to be equal without a comparison.
  private var content: Content

  /// Whether the path can be used.
  public var status: Status {
    get { content.state.status }
    set { change { $0.status = newValue } }
  }
  /// How far the path can be trusted. Our own failure shows here, never in ``status``.
  public var knowledge: Knowledge {
    get { content.state.knowledge }
    set { change { $0.knowledge = newValue } }
  }
  /// Why the path is unsatisfied; `nil` when it is satisfied.
  public var unsatisfiedReason: UnsatisfiedReason? {
    get { content.state.unsatisfiedReason }
    set { change { $0.unsatisfiedReason = newValue } }
  }
  /// The cause of the path's state: of an unsatisfied path, or of a doubt about a satisfied one; `nil` while the path
  /// is not known.
  ///
  /// The source of the path names the interface, rule or setting at fault, as far as it can without a look at routing
  /// tables and routers. Where it has named nothing, as an older service, this has the general words for
  /// ``unsatisfiedReason``, and the sentence of a satisfied path says how it is connected. A cause with another code or
  /// subject is another path, and an update of its own; another sentence alone is not. `pathctl explain` and the method
  /// `Explain` of the service name all causes. The sentence is meant for people in any program.
  public var diagnosis: Diagnosis? {
    get { knownDiagnosis ?? generalDiagnosis }
    set { change { $0.diagnosis = newValue } }
  }
  /// The cause that the source of the path has named; `nil` if it has named none.
  package var knownDiagnosis: Diagnosis? { content.state.diagnosis }
  /// The usable interfaces in order of preference. When the path is satisfied the first one carries
  /// the traffic; when it is not, these are usable only by sockets bound to them.
  public var interfaces: [NetworkInterface] {
    get { content.state.interfaces }
    set { change { $0.interfaces = newValue } }
  }
  /// The type of the interface that carries the traffic; `nil` unless satisfied.
  public var interfaceType: InterfaceType? {
    get { content.state.traffic.interfaceType }
    set { change { $0.traffic.interfaceType = newValue } }
  }
  /// Whether the interface that carries the traffic is a tunnel, such as a VPN.
  public var usesTunnel: Bool {
    get { content.state.traffic.usesTunnel }
    set { change { $0.traffic.usesTunnel = newValue } }
  }
  /// Whether traffic is likely to cost money or count against a quota.
  public var isExpensive: Bool {
    get { content.state.traffic.isExpensive }
    set { change { $0.traffic.isExpensive = newValue } }
  }
  /// Whether the user asked programs to use little data.
  public var isConstrained: Bool {
    get { content.state.traffic.isConstrained }
    set { change { $0.traffic.isConstrained = newValue } }
  }
  /// The reasons for ``isExpensive`` and ``isConstrained``; `nil` unless satisfied.
  public var cost: Cost? {
    get { content.state.traffic.cost }
    set { change { $0.traffic.cost = newValue } }
  }
  /// Whether evidence about the expense exists that could not be read, and nothing stronger decides;
  /// see ``Cost/isUndetermined``. ``isExpensive`` is then false.
  public var isExpenseUndetermined: Bool {
    status == .satisfied && !isExpensive
      && cost?.isUndetermined ?? interfaces.first?.isExpenseUndetermined ?? false
  }
  /// Whether IPv4 destinations are routable.
  public var supportsIPv4: Bool {
    get { content.state.traffic.supportsIPv4 }
    set { change { $0.traffic.supportsIPv4 = newValue } }
  }
  /// Whether IPv6 destinations are routable.
  public var supportsIPv6: Bool {
    get { content.state.traffic.supportsIPv6 }
    set { change { $0.traffic.supportsIPv6 = newValue } }
  }
  /// Whether the path is satisfied and a name server is configured.
  public var supportsDNS: Bool {
    get { content.state.traffic.supportsDNS }
    set { change { $0.traffic.supportsDNS = newValue } }
  }
  /// The source addresses that the kernel gives to unbound sockets, one for each family that can be reached, IPv4
  /// first. It is empty unless the path is satisfied, for sockets bound to an interface, and from an older service.
  ///
  /// Source: `RTA_PREFSRC` of the lookups, for the first next hop. Of several IPv6 addresses the kernel may choose
  /// others for single destinations.
  public var sourceAddresses: [IPAddress] {
    get { content.state.traffic.sourceAddresses }
    set { change { $0.traffic.sourceAddresses = newValue } }
  }
  /// Whether the Internet answers, as far as that is known without sending a packet; ``PathValidation/unknown`` unless
  /// satisfied. It never changes ``status``. A service of an older version does not know it.
  public var validation: PathValidation {
    get { content.state.traffic.validation }
    set { change { $0.traffic.validation = newValue } }
  }
  /// The routers of the usable interfaces, in order of preference. Point-to-point links have none. A link-local IPv6
  /// address has the name of its interface as ``IPAddress/scope``.
  public var gateways: [IPAddress] {
    get { content.state.gateways }
    set { change { $0.gateways = newValue } }
  }
  /// The overrides that an administrator has set for the path, in words; empty when there are none.
  public var overrides: [String] {
    get { content.state.overrides }
    set { change { $0.overrides = newValue } }
  }
  /// The number of the update in the stream that the path came from; a gap may mean skipped updates.
  public var sequence = 0
  /// When the path was evaluated: microseconds since boot, suspend included (`CLOCK_BOOTTIME`).
  public var boottimeMicroseconds = 0
  /// The names of the fields that differ from the update before; empty in a stream's first. The names are those of the
  /// properties and of the JSON keys.
  public var changed: [String] = []

  /// A path of the given status and knowledge, with everything else empty.
  public init(status: Status, knowledge: Knowledge) {
    self.init(State(status: status, knowledge: knowledge))
  }

  /// A path with the given state, without a place in a stream.
  package init(_ state: State) {
    content = Content(state)
  }

  /// The path before the first evaluation: nothing is known, so it is not reported as offline.
  public static let unknown = NetworkPath(status: .requiresConnection, knowledge: .unknown)

  private final class Content: Sendable {
    let state: State

    init(_ state: State) { self.state = state }
  }

  /// Whether both are copies of one path, at any places in a stream.
  func isCopy(of other: NetworkPath) -> Bool { content === other.content }

  /// The properties of the path without its place in a stream.
  var state: State { content.state }

  /// Gives this copy of the path a changed state.
  mutating func change(_ body: (inout State) -> Void) {
    var state = content.state
    body(&state)
    content = Content(state)
  }

  // MARK: The state

  /// The properties of a path without its place in a stream; see those of ``NetworkPath`` for their meanings. An
  /// unsatisfied path can have each of them except traffic.
  package struct State: Sendable {
    package var status: Status
    package var knowledge: Knowledge
    package var unsatisfiedReason: UnsatisfiedReason?
    package var diagnosis: Diagnosis?
    package var interfaces: [NetworkInterface] = []
    package var traffic = Traffic()
    package var gateways: [IPAddress] = []
    package var overrides: [String] = []

    /// A state of the given status and knowledge, with everything else empty.
    package init(status: Status, knowledge: Knowledge) {
      (self.status, self.knowledge) = (status, knowledge)
    }
  }

  /// The properties of the traffic, which only a satisfied path has. A path that becomes unsatisfied loses them.
  package struct Traffic: Sendable {
    package var interfaceType: InterfaceType?
    package var usesTunnel = false
    package var isExpensive = false
    package var isConstrained = false
    package var cost: Cost?
    package var supportsIPv4 = false
    package var supportsIPv6 = false
    package var supportsDNS = false
    package var sourceAddresses: [IPAddress] = []
    package var validation = PathValidation.unknown

    /// No traffic.
    package init() {}
  }
}

extension NetworkPath.State: FieldObject {
  package static let typeName = "NetworkPath"
  package static let blank = Self(status: .requiresConnection, knowledge: .unknown)

  /// The table of the fields of a state.
  package static let fields: [Field<Self>] = [
    Field(
      "status", \.status, { $0.status = $1 },
      "satisfied: there is a usable route; unsatisfied: there is none; requiresConnection: using it may bring one up."),
    Field(
      "knowledge", \.knowledge, { $0.knowledge = $1 },
      "known: from the present answers of the kernel; stale: true until the service was lost; unknown: never known."),
    Field(
      "unsatisfiedReason", \.unsatisfiedReason, { $0.unsatisfiedReason = $1 },
      "Why there is no path, or null: \(UnsatisfiedReason.all.map(\.rawValue).joined(separator: ", "))."),
    Field(
      "diagnosis", \.diagnosis, { $0.diagnosis = $1 },
      differ: { $0?.code != $1?.code || $0?.subject?.exact != $1?.subject?.exact },
      """
      The cause of an unsatisfied path, or the doubt about a satisfied one, as an object; see below. It is null when \
      nothing is to be said. It is found without a look at routing tables and routers: explain knows more. Another \
      code or subject is an update, another sentence is not.
      """),
    Field(
      "interfaces", \.interfaces, { $0.interfaces = $1 }, absent: nil,
      """
      The usable interfaces in order of preference, as objects; see below. The first carries the traffic if the path is \
      satisfied. Otherwise these are usable only by sockets bound to them.
      """),
    Field(
      "interfaceType", \.traffic.interfaceType, { $0.traffic.interfaceType = $1 },
      "The type of the interface that carries the traffic, or null: \(InterfaceType.allNames)."),
    Field(
      "usesTunnel", \.traffic.usesTunnel, { $0.traffic.usesTunnel = $1 },
      "true if that interface is a tunnel, such as a VPN."),
    Field(
      "isExpensive", \.traffic.isExpensive, { $0.traffic.isExpensive = $1 },
      "true if traffic is likely to cost money or to count against a quota."),
    Field(
      "isConstrained", \.traffic.isConstrained, { $0.traffic.isConstrained = $1 },
      "true if programs are asked to use little data."),
    Field(
      "cost", \.traffic.cost, { $0.traffic.cost = $1 },
      "The reasons for the last two, as an object; see below. null without a path."),
    Field(
      "supportsIPv4", \.traffic.supportsIPv4, { $0.traffic.supportsIPv4 = $1 },
      "true if IPv4 destinations can be reached."
    ),
    Field(
      "supportsIPv6", \.traffic.supportsIPv6, { $0.traffic.supportsIPv6 = $1 },
      "true if IPv6 destinations can be reached."
    ),
    Field(
      "supportsDNS", \.traffic.supportsDNS, { $0.traffic.supportsDNS = $1 },
      "true if there is a path and a name server is configured. The server is not asked."),
    Field(
      "sourceAddresses", \.traffic.sourceAddresses, { $0.traffic.sourceAddresses = $1 },
      """
      The source addresses of sockets that are not bound to one, at most one for each family, IPv4 first; empty without \
      a path.
      """),
    Field(
      "validation", \.traffic.validation, { $0.traffic.validation = $1 }, absent: .unknown,
      """
      Whether the Internet answers, as an object; see below. The service sends nothing to find out, and status never \
      depends on it. Its state is unknown without a path.
      """),
    Field(
      "gateways", \.gateways, { $0.gateways = $1 },
      write: { gateways, writer in writer.array(gateways) { $1.scoped(to: nil).write(to: &$0) } },
      "The addresses of the routers of the usable interfaces."),
    .gatewayScopes,
    Field("overrides", \.overrides, { $0.overrides = $1 }, "The overrides in force, in words."),
  ]
}

extension NetworkPath {
  /// The fields of the place in a stream. They follow those of the state.
  static let place: [Field<NetworkPath>] = [
    Field(
      "sequence", \.sequence, { $0.sequence = $1 }, absent: 0,
      """
      The number of the update, for those who follow the path. A gap may mean skipped updates. It starts anew with the \
      service.
      """),
    Field(
      "boottimeMicroseconds", \.boottimeMicroseconds, { $0.boottimeMicroseconds = $1 }, absent: 0,
      "When the path was evaluated, in microseconds since boot, suspend included."),
    Field(
      "changed", \.changed, { $0.changed = $1 },
      "The names of the keys that differ from the update before; empty for the first."),
  ]
}
