private import Synchronization

/// The network path of an unbound socket at one moment: its status, its interfaces and its cost.
///
/// *Satisfied* means that the kernel has a usable route now, not that the Internet answers.
///
/// The equality of paths ignores ``sequence``, ``boottimeMicroseconds``, ``changed``, the texts of evidence and the
/// sentence of the ``diagnosis``.
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
  /// only a reference, and two copies are known to be equal without a comparison.
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
  /// The fields that differ from the update before; see ``changed``.
  package var changes = Changes.fields([])

  /// A path of the given status and knowledge, with everything else empty.
  public init(status: Status, knowledge: Knowledge) {
    self.init(State(status: status, knowledge: knowledge))
  }

  /// A path with the given state, without a place in a stream.
  package init(_ state: State) {
    content = Content(state)
  }

  private final class Content: Sendable {
    let state: State
    /// The bytes that ``encoded(_:)`` has made; `nil` before its first call.
    let encoded = Mutex<[UInt8]?>(nil)

    init(_ state: State) { self.state = state }
  }

  /// The encoded state of the path, without its place in a stream. All copies share the bytes that the first call made.
  ///
  /// - Parameter encode: Makes the bytes, always in the same way.
  package func encoded(_ encode: () -> [UInt8]) -> [UInt8] {
    if let known = content.encoded.withLock({ $0 }) { return known }
    let bytes = encode()
    content.encoded.withLock { $0 = bytes }
    return bytes
  }

  /// Gives this copy of the path a changed state.
  mutating func change(_ body: (inout State) -> Void) {
    var state = content.state
    body(&state)
    content = Content(state)
  }

  /// The path before the first evaluation: nothing is known, so it is not reported as offline.
  public static let unknown = NetworkPath(status: .requiresConnection, knowledge: .unknown)
}

extension NetworkPath: Hashable {
  /// Equality of the states; see the type.
  public static func == (left: NetworkPath, right: NetworkPath) -> Bool {
    left.content === right.content || left.content.state == right.content.state
  }

  /// Hashes some of the properties that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(interfaces)
    hasher.combine(gateways)
  }

  /// Whether both are copies of one path, at any places in a stream. Copies are equal, including the texts of evidence.
  package func isCopy(of other: NetworkPath) -> Bool { content === other.content }

  /// The fields in which this path differs from an earlier one.
  func differences(from earlier: NetworkPath) -> FieldSet {
    isCopy(of: earlier) ? [] : content.state.differences(from: earlier.content.state)
  }

  /// Whether a change to `next` takes something away: the connection, a family, or name resolution.
  ///
  /// Losses are published later than gains, so that a reconfiguration does not flash "offline".
  package func isLoss(comparedTo next: NetworkPath) -> Bool {
    (status == .satisfied && next.status != .satisfied)
      || (supportsIPv4 && !next.supportsIPv4)
      || (supportsIPv6 && !next.supportsIPv6)
      || (supportsDNS && !next.supportsDNS)
  }
}

extension NetworkPath: CustomReflectable {
  /// All properties, by their names.
  public var customMirror: Mirror {
    let state = Mirror(reflecting: content.state).children.flatMap { child in
      child.value is Traffic ? Array(Mirror(reflecting: child.value).children) : [child]
    }
    let place: [Mirror.Child] = [
      ("sequence", sequence), ("boottimeMicroseconds", boottimeMicroseconds), ("changed", changed),
    ]
    return Mirror(self, children: state + place, displayStyle: .struct)
  }
}
