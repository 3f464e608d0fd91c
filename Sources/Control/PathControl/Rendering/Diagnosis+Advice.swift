package import PathModel

/// The advice of `pathctl` about the cause of a path's state. The library gives none, as its users have no options.
extension Diagnosis {
  /// The next step for an administrator, as sentences; `nil` when there is none.
  ///
  /// Traffic that is meant for a VPN must never leave in the clear because of an advice. So no setting is advised by
  /// which the kernel leaves a dead tunnel, and an advice to remove routes says what follows.
  package var advice: String? {
    let name = subject.map(\.shellWordOfName) ?? "NAME"
    switch code {
    case .overridden:
      let place = subject == nil ? "" : " --interface \(name)"
      return "'pathctl override list' shows it; 'pathctl override clear status\(place)' ends it."
    case .ignored:
      return "'pathctl config' shows every rule. A changed file counts after 'systemctl reload pathmonitord'."
    case .noInterface: return "'ip link' lists the interfaces, 'dmesg' missing drivers and firmware."
    case .switchedOff: return "Switch it on: ip link set \(name) up"
    case .noCarrier: return adviceOnCarrier(name)
    case .bondWithoutPorts:
      return "Add the network cards that it is for, which must have no address of their own: "
        + "ip link set CARD down; ip link set CARD master \(name)"
    case .notAssociated:
      return "'iw dev \(name) link' shows the association, 'rfkill list' a radio that is switched off."
    case .waitsForAuthentication:
      return "'journalctl -b -u wpa_supplicant -u iwd -u NetworkManager' shows what the authentication waits for."
    case .noAddress, .selfAssignedAddress, .duplicateAddress: return adviceOnAddresses(name)
    case .refusedByRule: return Self.inquiry("'ip rule' (for IPv6 'ip -6 rule') lists the rules.")
    case .refusedByRoute:
      let table =
        subject?.utf8.starts(with: "table ".utf8) == true
        ? String(Substring(subject?.utf8.dropFirst(6) ?? "".utf8.dropFirst(0))).shellWord : "all"
      return Self.inquiry("'ip route show table \(table)' (for IPv6 'ip -6 route') lists the routes.")
    default: return adviceOnRoutes(name)
    }
  }

  /// The advice about routes that lead nowhere, and about doubts.
  private func adviceOnRoutes(_ name: String) -> String? {
    switch code {
    case .noRuleForMainTable where has(.isRouteOfRule):
      return Self.inquiry("'ip rule' (for IPv6 'ip -6 rule') lists the rules.")
    case .noRuleForMainTable:
      return "Compare 'ip rule' with the usual rules 0 (local), 32766 (main) and 32767 (default). "
        + "'ip rule add priority 32766 lookup main' (for IPv6 'ip -6 rule') puts the missing one back."
    case .sinkInterface:
      return "If a VPN has set this up, start the VPN. Without these routes, which "
        + "'ip route show table all dev \(name)' lists, traffic leaves without the VPN."
    case .deadTunnel:
      return "Restart the VPN. Or remove its routes, which 'ip route show table all dev \(name)' lists: "
        + "traffic then leaves without the VPN."
    case .tunnelWithoutWay:
      return "Is the route to the server of the VPN gone? Restart the VPN, which sets it again; 'ip route' lists what "
        + "there is. A server on the link needs none."
    case .outsideTunnel:
      return "A program that must not be seen may not rely on \(name). 'pathctl explain' shows what leaves outside; "
        + "the VPN must route it too, or refuse it."
    case .pointToPointDownRoute:
      return "Start the connection of \(name) again. If it is a VPN, traffic leaves without it once its routes are "
        + "removed; 'ip route show table all dev \(name)' lists them."
    case .deadTunnelLeg:
      return
        "Start the connection of \(name) again. If it is a VPN, its share of the traffic leaves without it once "
        + "this leg is removed; 'ip route' lists the legs."
    case .linkDownRoute, .linkDownLeg:
      return "Repair \(name), or let the kernel move to another interface by itself: "
        + "'sysctl net.ipv4.conf.all.ignore_routes_with_linkdown=1' (for IPv6 net.ipv6.conf.all)."
    case .noDefaultRoute: return adviceOnMissingDefault(name)
    case .routeInVRF:
      return "Run the program in the VRF: ip vrf exec \(name) COMMAND. For all other programs, table main needs a "
        + "route."
    case .noRouteToAddress where has(.isManyHosts): return "Name the address of one host."
    case .noRouteToAddress:
      return "'ip route' and 'ip -6 route' list what there is. Is a VPN down, or a gateway missing?"
    case .bridgeWithoutPorts where has(.othersAreUsable): return adviceOnPreference(name)
    case .bridgeWithoutPorts:
      return "Add the network card that it is for, which must have no address of its own: "
        + "ip link set CARD master \(name)"
    case .addressOnPort:
      return
        "Move its address and its routes to the bridge or bond, which 'ip link show \(name)' names behind 'master'."
    case .routerSilent:
      return "Is the router on, and is this its address? 'ip neigh' shows its entry, and 'ping \(name)' asks it again."
    case .noNameServer:
      return "Name a server in /etc/resolv.conf, or start the program that writes the file, such as systemd-resolved, "
        + "NetworkManager or the DHCP client."
    case .nameServerUnreachable:
      return "/etc/resolv.conf names the servers. 'pathctl explain \(name)' says more about the way to this one, and "
        + "'ss -lun' lists the programs that serve on this machine."
    case .smallMTU:
      return "If nobody has chosen it on purpose, and the network carries such packets: ip link set \(name) mtu 1280"
    case .familyWithoutRoute:
      return "'ip -6 route' and 'ip route' list the routes of each family."
        + (has(.ignoresAdvertisements) ? " \(adviceOnAdvertisements(name))" : "")
    default: return nil
    }
  }

  private func has(_ circumstance: Circumstance) -> Bool { circumstances.contains(circumstance) }

  private func adviceOnCarrier(_ name: String) -> String {
    if has(.portsDoNotForward) {
      return "'bridge link' shows the state of each port; listening and learning mostly end within 30 s."
    }
    if has(.isPair) {
      return "Is the other end of the pair up, perhaps in another network namespace? 'ip link show \(name)' shows the "
        + "state."
    }
    return "Check the cable and the switch port; 'ip link show \(name)' shows the state."
  }

  private func adviceOnAddresses(_ name: String) -> String {
    if has(.othersAreUsable) { return adviceOnPreference(name) }
    if has(.isTentative) {
      return "The check mostly ends within 2 s; 'ip -6 address show \(name)' marks such addresses with 'tentative'."
    }
    if has(.ignoresAdvertisements) { return adviceOnAdvertisements(name) }
    switch code {
    case .duplicateAddress:
      return "Give one of the two hosts another address; 'ip address show \(name)' marks it with 'dadfailed'."
    case .selfAssignedAddress:
      let place = has(.isPair) ? "the network at the other end of the pair" : "the VLAN of the switch port"
      return "Check the DHCP client ('journalctl -b -g dhcp' shows its attempts) and \(place)."
    default:
      return "Does a DHCP client run for \(name), or is an address missing in its configuration? "
        + "'ip address show \(name)' lists its addresses."
    }
  }

  /// The advice about a route that has taken the traffic from a usable interface.
  private func adviceOnPreference(_ name: String) -> String {
    "'ip route show dev \(name)' (for IPv6 'ip -6 route') lists its routes. Find out which program, such as a DHCP "
      + "client, has made the preferred one, and let it leave \(name) alone."
  }

  private func adviceOnMissingDefault(_ name: String) -> String {
    let isClosed =
      "On a closed network, name an address of yours with --sample-address, or SampleAddress= in pathmonitor.conf(5)."
    if has(.isRouteOfRule) {
      return "'ip rule' (for IPv6 'ip -6 rule') lists the rules. All other packets need a default route in table main: "
        + "is a gateway missing in the configuration? \(isClosed)"
    }
    if has(.servesOthers) { return "Is a gateway missing in the configuration? \(isClosed)" }
    if has(.ignoresAdvertisements) { return adviceOnAdvertisements(name) }
    let device = subject == nil ? "" : " dev \(name)"
    // The kernel takes no router beyond the prefixes of the interface, unless `onlink` is set.
    let isOnLink = has(.routerIsBeyondPrefix) ? " onlink" : ""
    return "Is a gateway missing in the configuration? 'ip route add default via ROUTER\(device)\(isOnLink)' adds one "
      + "until the next start. \(isClosed)"
  }

  private func adviceOnAdvertisements(_ name: String) -> String {
    "'sysctl -w net/ipv6/conf/\(name)/accept_ra=2' lets the kernel heed router advertisements there although it "
      + "forwards packets."
  }

  /// A look at rules or routes that somebody has made on purpose, as kill switches do.
  private static func inquiry(_ command: String) -> String {
    "\(command) Find out which program made it before you delete it: it may be the kill switch of a VPN."
  }
}
