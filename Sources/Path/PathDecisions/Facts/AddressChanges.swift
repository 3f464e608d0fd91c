internal import PathModel

/// Announced changes of addresses, of which the last one of each address counts.
///
/// ``KernelState/merge(_:)`` takes all of them at once. An interface may have tens of thousands of addresses: to copy
/// them for each message would take the square of their number.
package struct AddressChanges: Sendable {
  /// One change.
  struct Change {
    /// The new facts, or the last ones.
    var address: AddressFacts
    /// Whether the address is gone.
    var isRemoval: Bool
    /// The identity of the address on its interface.
    var identity: AddressIdentity { AddressIdentity(of: address) }
  }

  private var changes: [Change] = []

  /// No changes.
  package init() {}

  /// Whether there are none.
  package var isEmpty: Bool { changes.isEmpty }

  /// Records that there is the address, with these facts.
  package mutating func update(_ address: AddressFacts) { changes.append(Change(address: address, isRemoval: false)) }

  /// Records that the address is gone.
  package mutating func remove(_ address: AddressFacts) { changes.append(Change(address: address, isRemoval: true)) }

  /// Forgets the changes of a link that is gone.
  package mutating func forget(_ index: Int32) { changes.removeAll { $0.address.interfaceIndex == index } }

  /// The last change of each address, by interface and in the order of the addresses.
  var last: [Change] {
    let order = changes.indices.sorted { left, right in
      let (one, other) = (changes[left], changes[right])
      if one.address.interfaceIndex != other.address.interfaceIndex {
        return one.address.interfaceIndex < other.address.interfaceIndex
      }
      return one.identity == other.identity ? left < right : one.identity < other.identity
    }
    var last: [Change] = []
    last.reserveCapacity(order.count)
    for position in order {
      let change = changes[position]
      if let former = last.last, former.address.interfaceIndex == change.address.interfaceIndex,
        former.identity == change.identity
      {
        last.removeLast()
      }
      last.append(change)
    }
    return last
  }
}

/// The parts by which the kernel distinguishes the addresses of an interface: the address, for IPv4 also prefix length
/// and peer. Their order is that of the addresses.
struct AddressIdentity: Comparable {
  private let address: IPAddress
  private let prefixLength: UInt8
  private let peer: IPAddress?

  init(of facts: AddressFacts) {
    address = facts.address
    let isIPv4 = facts.address.family == .ipv4
    (prefixLength, peer) = isIPv4 ? (facts.prefixLength, facts.peer) : (0, nil)
  }

  static func < (left: AddressIdentity, right: AddressIdentity) -> Bool {
    let (one, other) = (left.address, right.address)
    if one.family != other.family { return one.family.rawValue < other.family.rawValue }
    if one.high != other.high { return one.high < other.high }
    if one.low != other.low { return one.low < other.low }
    if left.prefixLength != right.prefixLength { return left.prefixLength < right.prefixLength }
    // Peers are those of IPv4, and 0.0.0.0 is one, too.
    return (left.peer.map { $0.low + 1 } ?? 0) < (right.peer.map { $0.low + 1 } ?? 0)
  }
}

/// The addresses of an interface in their order, and what evaluations derive from them. It is an object, so that a
/// change of the link shares it.
final class AddressList: Sendable {
  let addresses: [AddressFacts]
  let usable: [NetworkInterface.Address]
  let hasUsableIPv4Address: Bool
  let hasUsableIPv6Address: Bool
  /// The IPv6 subnets in which addresses are deprecated and none is preferred any more.
  let deprecatedPrefixes: [NetworkInterface.Address]

  /// A list of addresses that are in their order.
  init(_ addresses: [AddressFacts] = []) {
    self.addresses = addresses
    usable = addresses.filter(\.isUsable).map {
      NetworkInterface.Address($0.address, prefixLength: Int($0.prefixLength))
    }
    hasUsableIPv4Address = usable.first?.address.family == .ipv4
    hasUsableIPv6Address = usable.last?.address.family == .ipv6
    deprecatedPrefixes = Self.deprecatedPrefixes(among: addresses)
  }

  private static func deprecatedPrefixes(among addresses: [AddressFacts]) -> [NetworkInterface.Address] {
    let candidates = addresses.filter { $0.address.family == .ipv6 && $0.isUsable }
    guard candidates.contains(where: { $0.flags.contains(.deprecated) }) else { return [] }
    let preferred = Set(candidates.filter { !$0.flags.contains(.deprecated) }.map(\.address.high))
    var prefixes: [NetworkInterface.Address] = []
    for high in candidates.map(\.address.high) where !preferred.contains(high) {
      let prefix = NetworkInterface.Address(IPAddress(ipv6: high, 0), prefixLength: 64)
      if prefixes.last != prefix { prefixes.append(prefix) }
    }
    return prefixes
  }

  /// The list after changes of different addresses, in their order. It copies the addresses between two changes as a
  /// whole.
  func merging(_ changes: ArraySlice<AddressChanges.Change>) -> AddressList {
    var result: [AddressFacts] = []
    result.reserveCapacity(addresses.count + changes.count)
    var next = 0
    for change in changes {
      let identity = change.identity
      let position = self.position(of: identity, from: next)
      result += addresses[next..<position]
      let isKnown = position < addresses.count && AddressIdentity(of: addresses[position]) == identity
      next = isKnown ? position + 1 : position
      if !change.isRemoval { result.append(change.address) }
    }
    result += addresses[next...]
    return AddressList(result)
  }

  /// The position of the address, or the one at which to insert it.
  private func position(of identity: AddressIdentity, from start: Int) -> Int {
    var (low, high) = (start, addresses.count)
    while low < high {
      let middle = (low + high) / 2
      if AddressIdentity(of: addresses[middle]) < identity { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension AddressList: Hashable {
  static func == (left: AddressList, right: AddressList) -> Bool {
    left === right || left.addresses == right.addresses
  }

  func hash(into hasher: inout Hasher) { hasher.combine(addresses) }
}
