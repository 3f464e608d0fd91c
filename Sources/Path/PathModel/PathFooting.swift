/// The way of the path that a program has begun with. Later paths are compared with it, however many lie between: a
/// path that returns to that way is no change.
package struct PathFooting: Hashable, Sendable {
  /// The source address of each family that the program could use.
  private var sources: [IPAddress.Family: IPAddress]
  /// The routers of the interface that carries the traffic.
  private var gateways: [IPAddress.Family: Set<IPAddress>]
  /// The addresses of that interface.
  private let addresses: Set<NetworkInterface.Address>
  /// The index of that interface; `nil` if the path names none.
  private let index: Int?
  /// Whether the path has been expensive since the beginning.
  private var isExpensive: Bool

  /// The way of a satisfied path.
  package init(_ path: NetworkPath) {
    let carrier = path.interfaces.first
    sources = Dictionary(path.sourceAddresses.map { ($0.family, $0) }) { first, _ in first }
    gateways = Dictionary(grouping: path.carrierGateways) { $0.family }.mapValues { Set($0) }
    addresses = Set(carrier?.addresses ?? [])
    index = carrier?.index
    isExpensive = path.isExpensive
  }

  /// The changes from this way to that of a path. A path that is not satisfied, or not known, leads no way, so there
  /// are none.
  ///
  /// A family that the beginning lacked is adopted from the path: it may be in use when it goes.
  package mutating func changes(to path: NetworkPath) -> PathChanges {
    guard path.status == .satisfied, path.knowledge == .known else { return [] }
    let other = PathFooting(path)
    var changes: PathChanges = []
    if hasOtherSource(on: path, other) { changes.insert(.source) }
    if index != other.index { changes.insert(.interface) }
    if gateways.contains(where: { other.gateways[$0.key] != $0.value }) { changes.insert(.gateway) }
    if addresses != other.addresses { changes.insert(.addresses) }
    if isExpensive, !path.isExpensive, !path.isExpenseUndetermined { changes.insert(.better) }
    sources.merge(other.sources) { former, _ in former }
    gateways.merge(other.gateways) { former, _ in former }
    isExpensive = isExpensive || path.isExpensive
    return changes
  }

  private func hasOtherSource(on path: NetworkPath, _ other: PathFooting) -> Bool {
    if sources.isEmpty || other.sources.isEmpty {
      // The path of an older service, or of sockets bound to an interface.
      return IPAddress.Family.allCases.contains { family in
        let former = addresses(of: family)
        return !former.isEmpty && former != other.addresses(of: family)
      }
    }
    return sources.contains { family, source in
      guard let next = other.sources[family] else { return true }
      if source == next { return false }
      // The kernel prefers a younger IPv6 address, and connections over the former one go on.
      return family == .ipv4 || !path.interfaces.contains { $0.hasAddress(source) && $0.hasAddress(next) }
    }
  }

  private func addresses(of family: IPAddress.Family) -> Set<NetworkInterface.Address> {
    addresses.filter { $0.address.family == family }
  }
}

extension NetworkPath {
  /// The routers of the interface that carries the traffic, and those that no other interface can have brought.
  fileprivate var carrierGateways: [IPAddress] { keeping(Array(interfaces.prefix(1))).gateways }
}
