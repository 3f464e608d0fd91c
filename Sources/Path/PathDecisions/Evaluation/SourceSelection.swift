package import PathModel

/// The source address that the kernel chooses for an IPv6 destination when no route determines the outgoing interface.
///
/// connect(2) needs one to look up a route again after a refusal, because rules and routes may require a source, as
/// after `ip -6 route add default from 2001:db8::/64 …`. The kernel answers a refused lookup with nothing but an error,
/// so the choice has to be made here. Source: RFC 6724, section 5, as `__ipv6_dev_get_saddr` in Linux's
/// `net/ipv6/addrconf.c` applies it without an outgoing interface.
package enum SourceSelection {
  /// The source address for a destination beyond the link; `nil` when no address reaches beyond its link.
  package static func source(for destination: IPAddress, in state: KernelState) -> IPAddress? {
    var best: (address: AddressFacts, rank: [Int])?
    for interface in state.interfaces where interface.hasUsableIPv6Address && !isInVRF(interface.link, state) {
      for address in interface.addresses where address.address.family == .ipv6 && address.isUsable {
        let rank = rank(of: address, for: destination)
        let isChosen = best.map {
          $0.rank.lexicographicallyPrecedes(rank) || $0.rank == rank && address.isListed(before: $0.address)
        }
        if isChosen ?? true { best = (address, rank) }
      }
    }
    return best?.address.address
  }

  /// The rules in their order; more is better. All candidates have the same scope, and there is no outgoing interface.
  private static func rank(of candidate: AddressFacts, for destination: IPAddress) -> [Int] {
    [
      candidate.address == destination ? 1 : 0,  // Rule 1: the same address.
      candidate.flags.contains(.deprecated) ? 0 : 1,  // Rule 3: avoid deprecated addresses.
      label(of: candidate.address) == label(of: destination) ? 1 : 0,  // Rule 6: the matching label.
      candidate.flags.contains(.temporary) ? 0 : 1,  // Rule 7, as `use_tempaddr` is below 2.
      min(commonPrefixLength(candidate.address, destination), Int(candidate.prefixLength)),  // Rule 8.
      candidate.flags.contains(.optimistic) ? 0 : 1,
    ]
  }

  /// The labels of the policy table. Source: RFC 6724, section 2.1; `ip addrlabel` shows the kernel's.
  private static let labels: [(prefix: IPAddress, length: Int, label: Int)] = [
    (IPAddress(ipv6: 0, 1), 128, 0),
    (IPAddress(ipv6: 0, 0xffff_0000_0000), 96, 4),
    (IPAddress(ipv6: 0, 0), 96, 3),
    (IPAddress(ipv6: 0x2001_0000_0000_0000, 0), 32, 6),
    (IPAddress(ipv6: 0x2001_0010_0000_0000, 0), 28, 7),
    (IPAddress(ipv6: 0x3ffe_0000_0000_0000, 0), 16, 12),
    (IPAddress(ipv6: 0x2002_0000_0000_0000, 0), 16, 2),
    (IPAddress(ipv6: 0xfec0_0000_0000_0000, 0), 10, 11),
    (IPAddress(ipv6: 0xfc00_0000_0000_0000, 0), 7, 5),
  ]

  private static func label(of address: IPAddress) -> Int {
    labels.first { address.matches($0.prefix, prefixLength: $0.length) }?.label ?? 1
  }

  private static func commonPrefixLength(_ left: IPAddress, _ right: IPAddress) -> Int {
    left.high != right.high
      ? (left.high ^ right.high).leadingZeroBitCount : 64 + (left.low ^ right.low).leadingZeroBitCount
  }

  /// Whether the link belongs to a virtual routing domain, whose addresses unbound sockets do not use.
  private static func isInVRF(_ link: LinkFacts, _ state: KernelState) -> Bool {
    link.isRoutingDomain || link.masterIndex.map { state[$0]?.link.isRoutingDomain == true } ?? false
  }
}

extension AddressFacts {
  /// Whether the kernel finds the address before the other, which precedes it in ``KernelState``. Of equals the kernel
  /// takes the first, in the order of the interfaces, and an interface lists its newest address first. Of addresses of
  /// the same hundredth of a second, the higher one counts as the newest.
  fileprivate func isListed(before other: AddressFacts) -> Bool {
    interfaceIndex == other.interfaceIndex && createdAt >= other.createdAt
  }
}
