internal import KernelPath
internal import PathEngine
internal import PathFollowing
internal import PathModel

/// The source of the answers for verbs that answer once: the service or the kernel.
protocol AnswerSource {
  /// The path as it is now.
  func path() throws(PathSourceError) -> NetworkPath
  /// The path with its causes and, if they are asked for, the steps of its evaluation.
  func explained(withSteps: Bool) throws(PathSourceError) -> ExplainedPath
  /// All interfaces but loopback.
  func interfaces() throws(PathSourceError) -> [ListedInterface]
  /// The path to an address with its causes, its route and the steps of its evaluation.
  func explained(to address: IPAddress) throws(PathSourceError) -> ExplainedPath
}

/// Answers from the service.
struct ServiceAnswers: AnswerSource {
  private let client: ServiceClient

  init(_ client: ServiceClient) {
    self.client = client
  }

  func path() throws(PathSourceError) -> NetworkPath {
    try ServiceClient.path(in: try client.ask(.getPath))
  }

  func explained(withSteps: Bool) throws(PathSourceError) -> ExplainedPath {
    try ServiceClient.explained(in: try client.ask(.explain))
  }

  func interfaces() throws(PathSourceError) -> [ListedInterface] {
    let path = try path()
    let reply = try client.ask(.listInterfaces)
    let interfaces = try ServiceClient.read(reply) { reader throws(PathDecodingError) in
      try reader.array(.interfaces, NetworkInterface.init(json:)) ?? []
    }
    return interfaces.map { ListedInterface(interface: $0, role: Self.role(of: $0, in: path)) }
  }

  /// The use of an interface in the path. The service gives no reason with its list of interfaces; `explain` shows it.
  private static func role(of interface: NetworkInterface, in path: NetworkPath) -> ListedInterface.Role {
    guard let position = path.interfaces.firstIndex(where: { $0.index == interface.index }) else {
      return .unusable("not usable")
    }
    return position == 0 && path.status == .satisfied ? .primary : .available
  }

  func explained(to address: IPAddress) throws(PathSourceError) -> ExplainedPath {
    try ServiceClient.explained(in: try client.ask(.getRoute, ["destination": .string(address.description)]))
  }
}

extension NetworkPath {
  /// The path to a host, joined from the paths to its addresses. A program uses the first address that it can reach, so
  /// one satisfied path is enough.
  static func joined(_ paths: [NetworkPath]) -> NetworkPath {
    var joined = paths.first { $0.status == .satisfied } ?? paths.first ?? .unknown
    joined.supportsIPv4 = paths.contains(where: \.supportsIPv4)
    joined.supportsIPv6 = paths.contains(where: \.supportsIPv6)
    joined.sourceAddresses = IPAddress.Family.allCases.compactMap { family in
      paths.lazy.flatMap(\.sourceAddresses).first { $0.family == family }
    }
    for path in paths {
      for interface in path.interfaces where !joined.interfaces.contains(where: { $0.index == interface.index }) {
        joined.interfaces.append(interface)
      }
      for gateway in path.gateways where !joined.gateways.contains(gateway) { joined.gateways.append(gateway) }
    }
    return joined
  }
}

/// Answers from the kernel.
struct KernelAnswers: AnswerSource {
  private let reader: PathReader

  init(_ reader: PathReader) {
    self.reader = reader
  }

  func path() -> NetworkPath { reader.path() }

  func explained(withSteps: Bool) -> ExplainedPath { reader.explained(withSteps: withSteps) }

  func interfaces() -> [ListedInterface] { reader.interfaces() }

  func explained(to address: IPAddress) -> ExplainedPath {
    let explained = reader.explained(to: address)
    if explained.path.knowledge != .known, let failure = reader.failure { PathControl.complain(failure.description) }
    return explained
  }
}
