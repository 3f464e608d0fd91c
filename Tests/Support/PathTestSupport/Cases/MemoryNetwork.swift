package import PathDecisions
import PathModel

/// The network of a case in memory: the commands of NetworkCommands.swift as changes of a `FakeKernel`.
///
/// Commands of its own make what no namespace has, or only some kernels:
///
/// | command | meaning |
/// |---|---|
/// | `has LINK [KIND] [WORD …] [ADDRESS …]` | a link that is up and has a carrier; `attributes` has the words |
/// | `carrier LINK on`, `carrier LINK off` | the cable of such a link is put in or pulled |
/// | `servers LINK ADDRESS … [mark MARK]` | servers of a tunnel, which the kernel tells to root alone |
/// | `access-point LINK` | the link is an access point of this machine |
/// | `ignores-advertisements LINK` | the link ignores router advertisements because it forwards packets |
/// | `names-table NUMBER NAME` | a file names a table |
/// | `addr add … tentative`, `addr add … dadfailed` | an address that is still checked, or that another host has |
package struct MemoryNetwork {
  /// A command that the kernel in memory does not have.
  package struct Unrepresentable: Error, CustomStringConvertible {
    package var description: String
  }

  package var kernel = FakeKernel()
  /// The neighbour entries that commands have made.
  package var neighbours: [NeighbourFacts] = []
  /// The links that ignore router advertisements because they forward packets.
  var ignoringAdvertisements: Set<Int32> = []
  var tableNames = RouteTableNames()
  /// The links by the other end of their cable.
  private var links: [String: String] = [:]
  private var indices: [String: Int32] = [:]
  private var forwards = false

  /// The commands that no namespace has.
  static let ownCommands: Set<String> = [
    "has", "carrier", "servers", "access-point", "ignores-advertisements", "names-table",
  ]

  /// A network with a loopback interface, which is down if it is bare.
  package init(isBare: Bool = false) {
    kernel.servedAddresses = []
    if isBare { kernel.setDown("lo") }
  }

  package mutating func perform(_ item: CaseBlock.Item) throws {
    guard !item.text.hasPrefix("$ ") else { throw Unrepresentable(description: item.text) }
    for words in item.commands where try !perform(words) {
      throw Unrepresentable(description: words.joined(separator: " "))
    }
  }

  /// The index of a link, also of one that is not there yet.
  private mutating func index(of name: String) -> Int32 {
    if let index = indices[name] { return index }
    let known = kernel.state.interfaces.first { $0.link.name == name }?.link.index
    let index = known ?? Int32(indices.count) + 50
    indices[name] = index
    return index
  }

  private func knows(_ name: String) -> Bool { kernel.state.interfaces.contains { $0.link.name == name } }

  private mutating func perform(_ words: [String]) throws -> Bool {
    guard words.count > 1 else { return false }
    let rest = Array(words.dropFirst())
    switch words[0] {
    case "pair", "cable", "uplink": return makeCable(words)
    case "tun", "tap":
      guard rest.count == 1 else { return false }
      install(rest[0], "tun") { link in
        if words[0] == "tun" { (link.hardwareType, link.flags) = (HardwareType.none, .pointToPoint) }
      }
      return true
    case "has": return try has(rest)
    case "carrier": setCarrier(rest[0], rest[1] == "on")
    case "access-point": kernel.networkFacts.accessPoints.append(index(of: rest[0]))
    case "ignores-advertisements": ignoringAdvertisements.insert(index(of: rest[0]))
    case "names-table": tableNames.add(rest.joined(separator: " "))
    case "servers":
      let mark = rest.firstIndex(of: "mark")
      let value = mark.flatMap { UInt32(rest[$0 + 1]) } ?? 0
      kernel.serverQueries[index(of: rest[0])] = rest[1..<(mark ?? rest.endIndex)].map {
        RouteQuery(destination: .literal($0), kind: .resolve, user: 0, mark: value)
      }
    // No lookup depends on the addresses of other machines.
    case "peer" where rest.contains("addr"), "sleep": return true
    case "peer": return rest.count == 4 && rest[..<2] == ["link", "set"] && setEnd(rest[2], rest[3])
    case "sysctl":
      let ignoring = ["ipv4", "ipv6"].map { "net.\($0).conf.all.ignore_routes_with_linkdown=" }
      if rest == ["net.ipv4.ip_forward=1"] {
        startForwarding()
      } else if rest.allSatisfy({ setting in ignoring.contains { setting == $0 + "0" || setting == $0 + "1" } }) {
        kernel.ignoresRoutesWithLinkDown = rest[0].hasSuffix("1")
      } else {
        return false
      }
    case "link": return link(rest)
    case "-6": return object(rest, .ipv6)
    case "-4": return object(rest, .ipv4)
    default: return object(words, nil)
    }
    return true
  }

  // MARK: Links

  private mutating func startForwarding() {
    forwards = true
    for interface in kernel.state.interfaces where !interface.link.isLoopback {
      var link = interface.link
      link.forwards = true
      kernel.install(link)
    }
  }

  private mutating func install(_ name: String, _ kind: String?, _ change: (inout LinkFacts) -> Void = { _ in }) {
    var link = LinkFacts(index: index(of: name), name: name, operationalState: .down, hasCarrier: false, kind: kind)
    (link.forwards, link.mtu) = (forwards, 1_500)
    change(&link)
    kernel.install(link)
  }

  private mutating func makeCable(_ words: [String]) -> Bool {
    guard let pair = NetworkCommands.pair(words[1]) else { return false }
    indices[pair.link] = pair.index
    install(pair.link, "veth")
    links[pair.end] = pair.link
    kernel.setCarrier(pair.link, false)
    guard words[0] != "pair" else { return true }
    kernel.setUp(pair.link)
    kernel.setCarrier(pair.link, true)
    guard words.count > 2 else { return true }
    guard object(["addr", "add", words[2], "dev", pair.link, "nodad"], nil), words.count > 4 else {
      return words.count == 3
    }
    let family: IPAddress.Family = words[4].contains(":") ? .ipv6 : .ipv4
    return object(["route", "add", "default", "via", words[4], "dev", pair.link] + words[5...], family)
  }

  private mutating func setEnd(_ end: String, _ word: String) -> Bool {
    guard let link = links[end], knows(link), ["up", "down"].contains(word) else { return false }
    setCarrier(link, word == "up")
    return true
  }

  /// Links upon the one whose cable it is share its carrier.
  private mutating func setCarrier(_ name: String, _ hasCarrier: Bool) {
    kernel.setCarrier(name, hasCarrier)
    for upper in kernel.state.interfaces.map(\.link)
    where upper.kind == "macvlan" && upper.parentIndex == kernel.index(of: name) { setCarrier(upper.name, hasCarrier) }
  }

  private mutating func link(_ words: [String]) -> Bool {
    switch words[0] {
    case "set" where words.count >= 3 && knows(words[1]):
      switch (words[2], words.count) {
      case ("up", 3): kernel.setUp(words[1])
      case ("down", 3): kernel.setDown(words[1])
      case ("nomaster", 3): kernel.detach(words[1])
      case ("name", 4):
        kernel.rename(words[1], to: words[3])
        links = links.mapValues { $0 == words[1] ? words[3] : $0 }
      case ("master", 4) where knows(words[3]): kernel.attach(words[1], to: words[3])
      case ("mtu", 4):
        guard var link = kernel.state[kernel.index(of: words[1])]?.link else { return false }
        link.mtu = UInt32(words[3])
        kernel.install(link)
      default: return false
      }
      return true
    case "del" where words.count == 2 && knows(words[1]):
      kernel.deleteLink(words[1])
      return true
    case "add": return addLink(words)
    default: return false
    }
  }

  private mutating func addLink(_ words: [String]) -> Bool {
    guard let type = words.firstIndex(of: "type"), type + 1 < words.count else { return false }
    let (kind, name) = (words[type + 1], words[1])
    var rest = words[(type + 2)...]
    if kind == "veth" {
      guard rest.count >= 5, rest.starts(with: ["peer", "name"]), rest.dropFirst(3).starts(with: ["netns", "${NS}p"])
      else { return false }
      links[rest[rest.startIndex + 2]] = name
      rest = []
    }
    guard let options = Options(words[2..<type] + rest), ["bridge", "ifb", "vxlan", "veth", "macvlan"].contains(kind),
      options.isOf(["index", "id", "dstport", "remote", "dev", "local", "link", "mode"])
    else { return false }
    if let index = options["index"].flatMap({ Int32($0) }) { indices[name] = index }
    let parent = (options["dev"] ?? options["link"]).map { index(of: $0) }
    install(name, kind) { link in
      link.parentIndex = parent
      link.serverAddress = options["remote"].flatMap { IPAddress($0) }
      link.tunnelSource = options["local"].flatMap { IPAddress($0) }
    }
    if kind == "veth" { kernel.setCarrier(name, false) }
    return true
  }

  /// The words of `has` that change a fact of the link.
  private static let attributes: [String: @Sendable (inout LinkFacts) -> Void] = [
    "off": { ($0.flags, $0.hasCarrier, $0.operationalState) = ([], false, .down) },
    "silent": { ($0.flags, $0.hasCarrier, $0.operationalState) = ([.up], false, .lowerLayerDown) },
    "unplugged": { ($0.flags, $0.hasCarrier) = ([.up], false) },
    "dormant": { ($0.flags, $0.operationalState) = ([.up, .lowerUp], .dormant) },
    "unknown": { $0.operationalState = .unknown },
    "pointToPoint": { $0.flags.insert(.pointToPoint) },
    "blocked": { $0.isBlockedPort = true },
    "forwards": { $0.forwards = true },
    "none": { $0.hardwareType = HardwareType.none },
    "ppp-frames": { $0.hardwareType = HardwareType.ppp },
    "infiniband": { $0.hardwareType = HardwareType.infiniband },
    "can-bus": { $0.hardwareType = 280 },
    "lowpan": { $0.hardwareType = 804 },
  ]

  /// The words of `has` that stand for values in sysfs.
  private static let devices = [
    "wifi": DeviceFacts(deviceType: "wlan", isWireless: true), "modem": DeviceFacts(deviceType: "wwan"),
    "virtual": DeviceFacts(isVirtual: true),
  ]

  private mutating func has(_ words: [String]) throws -> Bool {
    var link = LinkFacts.up(index(of: words[0]), words[0])
    var addresses: [Prefix] = []
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      if let change = Self.attributes[word] {
        change(&link)
      } else if let device = Self.devices[word] {
        kernel.devices[link.index] = device
      } else if word.contains("/") {
        addresses.append(Prefix(stringLiteral: word))
      } else if ["on", "in", "active", "mtu", "server"].contains(word), let value = rest.popFirst() {
        switch word {
        case "on": link.parentIndex = index(of: value)
        case "in": link.masterIndex = index(of: value)
        case "active": link.activePortIndex = index(of: value)
        case "mtu": link.mtu = UInt32(value)
        default: link.serverAddress = .literal(value)
        }
      } else if link.kind == nil {
        link.kind = word
      } else {
        return false
      }
    }
    kernel.install(link)
    for address in addresses { kernel.addAddress(address, to: link.name) }
    return true
  }
}
