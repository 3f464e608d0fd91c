package import PathModel

/// The links and addresses of a network namespace, kept current by the kernel's messages.
///
/// The state is a value: applying a message twice changes nothing, and a fresh dump replaces it whole. It has no routes
/// and never will have any: the kernel is asked for each decision (see ``KernelView``).
package struct KernelState: Hashable, Sendable {
  /// One interface with its addresses. It is an object, because an interface has many strings and arrays, and
  /// evaluations pass it on far more often than it changes.
  package final class Interface: Sendable {
    /// The facts about the link.
    package let link: LinkFacts
    /// The link-layer address as text; `nil` when the link has none.
    package let hardwareAddressText: String?
    fileprivate let list: AddressList

    /// Its addresses sorted by family, number and prefix length, in whatever order they arrived: a fresh dump must give
    /// the very same value as the messages before it.
    package var addresses: [AddressFacts] { list.addresses }
    /// The usable addresses with their prefix lengths, in the same order.
    package var usableAddresses: [NetworkInterface.Address] { list.usable }
    /// Whether any IPv4 address reaches beyond the link.
    package var hasUsableIPv4Address: Bool { list.hasUsableIPv4Address }
    /// Whether any IPv6 address reaches beyond the link.
    package var hasUsableIPv6Address: Bool { list.hasUsableIPv6Address }
    /// The IPv6 subnets in which addresses are deprecated and none is preferred any more.
    package var deprecatedPrefixes: [NetworkInterface.Address] { list.deprecatedPrefixes }

    /// Derives what evaluations read again and again.
    fileprivate init(_ link: LinkFacts, _ list: AddressList) {
      self.link = link
      self.list = list
      hardwareAddressText = link.hardwareAddressText
    }

    /// Whether any address of the family reaches beyond the link.
    package func hasUsableAddress(_ family: IPAddress.Family) -> Bool {
      family == .ipv4 ? hasUsableIPv4Address : hasUsableIPv6Address
    }

    /// Whether it has an IPv4 address that may be valid beyond the link behind a router that translates it; see
    /// ``AddressFacts/isTranslated``.
    package var hasTranslatedAddress: Bool { addresses.contains(where: \.isTranslated) }

    /// The addresses that are usable if a router is on the link, with their prefix lengths, in the same order.
    package var addressesBehindRouter: [NetworkInterface.Address] {
      guard hasTranslatedAddress else { return usableAddresses }
      return addresses.filter { $0.isUsable || $0.isTranslated }.map {
        NetworkInterface.Address($0.address, prefixLength: Int($0.prefixLength))
      }
    }

    /// Whether it translates IPv4 into IPv6, as 464XLAT and DS-Lite do: all its IPv4 addresses are of 192.0.0.0/29,
    /// which is reserved for this (RFC 7335, RFC 6333).
    package var isTranslator: Bool {
      let ipv4 = usableAddresses.filter { $0.address.family == .ipv4 }
      return !ipv4.isEmpty && ipv4.allSatisfy { $0.address.matches(IPAddress(ipv4: 0xc000_0000), prefixLength: 29) }
    }

    /// Whether the address is one of its own.
    package func has(_ address: IPAddress) -> Bool { addresses.contains { $0.address == address } }
  }

  /// All interfaces by ascending index.
  package private(set) var interfaces: [Interface] = []
  /// Addresses whose link has not been seen yet: the two dumps at the start come from two moments.
  private var orphans: [Int32: AddressList] = [:]

  /// A namespace without any link.
  package init() {}

  /// The interface with the index.
  package subscript(index: Int32) -> Interface? { place(of: index).map { interfaces[$0] } }

  /// Adds the link or replaces its facts; its addresses stay.
  package mutating func update(_ link: LinkFacts) {
    if let place = place(of: link.index) {
      interfaces[place] = Interface(link, interfaces[place].list)
      return
    }
    let addresses = orphans.removeValue(forKey: link.index) ?? AddressList()
    interfaces.insert(Interface(link, addresses), at: position(of: link.index))
  }

  /// Removes the link and its addresses.
  package mutating func removeLink(_ index: Int32) {
    if let place = place(of: index) { interfaces.remove(at: place) }
    orphans[index] = nil
  }

  /// Adds, replaces and removes addresses.
  package mutating func merge(_ changes: AddressChanges) {
    var rest = changes.last[...]
    while let index = rest.first?.address.interfaceIndex {
      let changes = rest.prefix { $0.address.interfaceIndex == index }
      rest = rest[changes.endIndex...]
      if let place = place(of: index) {
        let interface = interfaces[place]
        interfaces[place] = Interface(interface.link, interface.list.merging(changes))
      } else {
        let list = (orphans[index] ?? AddressList()).merging(changes)
        orphans[index] = list.addresses.isEmpty ? nil : list
      }
    }
  }

  /// The position of the interface with the index.
  private func place(of index: Int32) -> Int? {
    let position = position(of: index)
    return position < interfaces.count && interfaces[position].link.index == index ? position : nil
  }

  /// The position of the index, or the position at which to insert it.
  private func position(of index: Int32) -> Int {
    var (low, high) = (0, interfaces.count)
    while low < high {
      let middle = (low + high) / 2
      if interfaces[middle].link.index < index { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension KernelState.Interface: Hashable {
  /// Equality of the link and its addresses. Mostly both are one object.
  package static func == (left: KernelState.Interface, right: KernelState.Interface) -> Bool {
    left === right || left.link == right.link && left.list == right.list
  }

  /// Hashes the link and its addresses.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(link)
    hasher.combine(list)
  }
}
