internal import CNetlink
internal import Glibc
package import PathModel

/// The path as packets find it: for each destination the interfaces that they leave by.
///
/// This is another evaluator than the one under test. It asks for no routes: it connects sockets, and reads the frames
/// at the other end of each cable.
package struct ObservedPath: Sendable {
  /// The ways of the packets of one family.
  package struct Family: Hashable, Sendable {
    /// For each probe the interfaces by which packets with a routable source leave; empty when none do.
    package var ways: [Set<String>]
    /// The source addresses of these packets.
    package var sources: Set<IPAddress> = []
    /// The interfaces that a bound socket reaches the first probe over, by a route and with an address of their own.
    package var bound: Set<String>
    /// The interfaces over which bound sockets of IPv6 send only after a refused lookup. The kernel then chooses the
    /// source whatever the socket is bound to, and cannot be asked for the second lookup. Neither answer about them is
    /// wrong.
    package var boundAfterRefusal: Set<String> = []

    /// Whether the kernel goes from one route to another with each lookup, as it does with IPv4 defaults of equal
    /// metric while it does not know that their routers are reachable. Then a connection leaves by the one or the
    /// other.
    package var alternates = false

    /// Whether most probes can be reached.
    package var isUsable: Bool { 2 * ways.count { !$0.isEmpty } > ways.count }
    /// The ways that most of the reachable probes have in common: several if equally many go each way.
    package var mostFrequent: [Set<String>] {
      let counts = Dictionary(grouping: ways.filter { !$0.isEmpty }, by: \.self).mapValues(\.count)
      return counts.filter { $0.value == counts.values.max() }.map(\.key)
    }
  }

  /// Questions that the kernel does not answer, or answers differently from version to version.
  package struct OpenQuestions: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Whether an interface works for a bound socket of IPv6 while rules or routes look at sources. After a refusal
    /// such a socket looks up again with a source, and only routes over its interface count; netlink has no question
    /// for that.
    package static let boundIPv6 = OpenQuestions(rawValue: 1)
    /// Whether all legs of an IPv4 multipath route carry traffic when the source is given: since Linux 6.16 the leg
    /// that has the source is preferred.
    package static let unusedLegs = OpenQuestions(rawValue: 2)
  }

  /// By family, IPv4 first.
  package var families: [IPAddress.Family: Family]

  /// The differences between a path and the packets, in words; empty when they agree.
  ///
  /// - Parameter open: The questions to which either answer is right.
  package func contradictions(in path: NetworkPath, leavingOpen open: OpenQuestions) -> [String] {
    let interfaces = path.interfaces.map(\.name)
    var found: [String] = []
    func expect(_ family: IPAddress.Family, _ says: Bool) {
      guard let observed = families[family], observed.isUsable != says, !says || !observed.alternates else { return }
      found.append("\(family) is said to be \(says ? "usable" : "unusable"), and packets leave by \(observed.ways)")
    }
    expect(.ipv4, path.supportsIPv4)
    expect(.ipv6, path.supportsIPv6)
    let usable = IPAddress.Family.allCases.compactMap { families[$0] }.filter(\.isUsable)
    let listsUnused = open.contains(.unusedLegs) || families.values.contains { $0.alternates }
    if let first = usable.first, let name = interfaces.first, !listsUnused,
      !first.mostFrequent.contains(where: { $0.contains(name) })
    {
      found.append("\(name) is said to be first, and most packets leave by \(first.mostFrequent)")
    }
    for family in usable where !family.mostFrequent.contains(where: { $0.isSubset(of: interfaces) }) {
      found.append("\(interfaces) are said to be in use, and most packets leave by \(family.mostFrequent)")
    }
    for (family, observed) in families where observed.isUsable && !listsUnused {
      let said = path.sourceAddresses.filter { $0.family == family }
      if said.count == 1 && observed.sources.contains(said[0]) { continue }
      found.append("\(said) are said to be the sources, and packets leave from \(observed.sources)")
    }
    let bound = families.values.reduce(into: Set<String>()) { $0.formUnion($1.bound) }
    let inUse = usable.flatMap(\.mostFrequent).reduce(into: bound) { $0.formUnion($1) }
    let doubtful = families.values.reduce(into: Set<String>()) { $0.formUnion($1.boundAfterRefusal) }
    for name in interfaces where !listsUnused && !inUse.contains(name) && !doubtful.contains(name) {
      found.append("\(name) is said to be usable, and is not")
    }
    let certain = open.contains(.boundIPv6) ? families[.ipv4]?.bound ?? [] : bound
    for name in certain.sorted() where !interfaces.contains(name) {
      found.append("a socket bound to \(name) works, and it is not said to be usable")
    }
    return found
  }
}

/// Observes the path of the namespace that the thread is in.
package struct PathObserver {
  private let capture: FrameCapture
  private let transport: ConnectionAttempt.Transport
  private let probes: ProbeAddresses
  /// The names of the interfaces whose other ends are captured, by their hardware addresses.
  private let names: [[UInt8]: String]
  /// The `mtu` of all routes of the test. Routes that the kernel invents for bound sockets of IPv4 have another.
  private let routeMTU: Int32
  private var nextPort: UInt16 = firstPort

  private static let firstPort: UInt16 = 1_024

  /// - Parameters:
  ///   - routeMTU: The `mtu` that all routes to the probes have.
  ///   - names: The interfaces whose other ends are in the far namespace, by their hardware addresses.
  package init(
    _ namespace: TestNamespace, _ transport: ConnectionAttempt.Transport, probes: ProbeAddresses, routeMTU: Int32,
    names: [[UInt8]: String]
  ) throws {
    capture = try FrameCapture(namespace)
    (self.transport, self.probes, self.routeMTU, self.names) = (transport, probes, routeMTU, names)
  }

  /// An attempt for which a frame is expected.
  private struct Awaited {
    var family: IPAddress.Family
    /// The position of the probe; `nil` for the bound sockets.
    var probe: Int?
    /// The only interface that the frame may leave by; `nil` for any.
    var device: String?
    /// The addresses of that interface; a source that is none of them is another interface's.
    var addresses: Set<IPAddress> = []
    var hasForeignSource = false
    var source: IPAddress?
  }

  /// Connects to each probe several times, each time to another port, so that each leg of a multipath route has its
  /// turn.
  package mutating func observe(attempts: Int) -> ObservedPath {
    _ = capture.drain()
    let alternates = alternates()
    var awaited: [UInt16: Awaited] = [:]
    var observed = ObservedPath(families: [:])
    for family in IPAddress.Family.allCases {
      observed.families[family] = .init(ways: probes[family].map { _ in [] }, bound: [])
      for (position, probe) in probes[family].enumerated() {
        for _ in 0..<attempts {
          connect(to: probe, Awaited(family: family, probe: position, device: nil), &awaited)
        }
      }
      let addresses = Self.routableAddresses(family)
      for name in names.values {
        guard let own = addresses[name], let probe = probes[family].first else { continue }
        connect(to: probe, Awaited(family: family, probe: nil, device: name, addresses: own), &awaited)
      }
    }
    observed.families[.ipv4]?.alternates = alternates
    collect(&awaited, into: &observed)
    return observed
  }

  private mutating func connect(to probe: IPAddress, _ attempt: Awaited, _ awaited: inout [UInt16: Awaited]) {
    nextPort = nextPort == .max ? Self.firstPort : nextPort + 1
    let outcome = ConnectionAttempt(transport, to: probe, port: nextPort, device: attempt.device)
    guard case .connected(let source, let mtu) = outcome, Self.isRoutable(source) else { return }
    if attempt.device != nil, mtu != routeMTU { return }
    awaited[nextPort] = attempt
    awaited[nextPort]?.source = source
    awaited[nextPort]?.hasForeignSource =
      attempt.device != nil && attempt.family == .ipv6 && !attempt.addresses.contains(source)
  }

  /// Whether only one of two packets that a socket sends to a probe leaves, or each by another interface.
  private mutating func alternates() -> Bool {
    for probe in probes.ipv4 {
      nextPort = nextPort == .max ? Self.firstPort : nextPort + 1
      ConnectionAttempt.sendPackets(2, to: probe, port: nextPort)
      let frames = capture.drain().filter { $0.destinationPort == nextPort }
      if frames.count == 1 || Set(frames.map(\.sourceAddress)).count > 1 { return true }
    }
    return false
  }

  private func collect(_ awaited: inout [UInt16: Awaited], into observed: inout ObservedPath) {
    // A softirq delivers frames, which may be late on a busy machine.
    for patience in [Duration.zero, .milliseconds(2), .milliseconds(20)] where !awaited.isEmpty {
      for frame in capture.drain(within: patience) {
        guard let attempt = awaited.removeValue(forKey: frame.destinationPort), let name = names[frame.sourceAddress]
        else { continue }
        if let probe = attempt.probe {
          observed.families[attempt.family]?.ways[probe].insert(name)
          if let source = attempt.source { observed.families[attempt.family]?.sources.insert(source) }
        } else if attempt.device == name, attempt.hasForeignSource {
          observed.families[attempt.family]?.boundAfterRefusal.insert(name)
        } else if attempt.device == name {
          observed.families[attempt.family]?.bound.insert(name)
        }
      }
    }
  }

  /// Whether replies from beyond the link could come back to the address.
  private static func isRoutable(_ source: IPAddress) -> Bool {
    switch source.family {
    case .ipv4: source.low != 0 && source.low >> 24 != 127 && source.low >> 16 != 0xa9fe
    case .ipv6: source.high >> 54 != 0xfe80 >> 6 && (source.high != 0 || source.low > 1)
    }
  }

  /// The routable addresses of the interfaces that have any.
  private static func routableAddresses(_ family: IPAddress.Family) -> [String: Set<IPAddress>] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return [:] }
    defer { unsafe freeifaddrs(list) }
    var addresses: [String: Set<IPAddress>] = [:]
    var next = unsafe list
    while let entry = unsafe next?.pointee {
      unsafe next = entry.ifa_next
      guard let address = unsafe entry.ifa_addr, unsafe address.pointee.sa_family == UInt16(family.rawValue) else {
        continue
      }
      let bytes = unsafe UnsafeRawBufferPointer(start: address, count: family == .ipv4 ? 8 : 24)
      func number(_ range: Range<Int>) -> UInt64 { range.reduce(0) { unsafe $0 << 8 | UInt64(bytes[$1]) } }
      let value =
        family == .ipv4 ? IPAddress(ipv4: UInt32(number(4..<8))) : IPAddress(ipv6: number(8..<16), number(16..<24))
      if isRoutable(value) { addresses[unsafe String(cString: entry.ifa_name), default: []].insert(value) }
    }
    return addresses
  }
}
