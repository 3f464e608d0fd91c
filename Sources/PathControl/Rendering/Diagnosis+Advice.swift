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
    case .noCarrier: return "Check the cable and the switch port; 'ip link show \(name)' shows the state."
    case .bondWithoutPorts:
      return "Add the network cards that it is for: ip link set CARD down; ip link set CARD master \(name)"
    case .notAssociated:
      return "'iw dev \(name) link' shows the association, 'rfkill list' a radio that is switched off."
    case .waitsForAuthentication:
      return "'journalctl -b -u wpa_supplicant -u iwd -u NetworkManager' shows what the authentication waits for."
    case .noAddress:
      return "Does a DHCP client run for \(name), or is an address missing in its configuration? "
        + "'ip address show \(name)' lists its addresses."
    case .selfAssignedAddress:
      return "Check the DHCP client ('journalctl -b -g dhcp' shows its attempts) and the VLAN of the switch port."
    case .duplicateAddress:
      return "Give one of the two hosts another address; 'ip address show \(name)' marks it with 'dadfailed'."
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
    case .noRuleForMainTable:
      return "Compare 'ip rule' with the usual rules 0 (local), 32766 (main) and 32767 (default). "
        + "'ip rule add priority 32766 lookup main' (for IPv6 'ip -6 rule') puts the missing one back."
    case .sinkInterface:
      return "If a VPN has set this up, start the VPN. Without these routes, which 'ip route show dev \(name)' lists, "
        + "traffic leaves without the VPN."
    case .deadTunnel:
      return "Restart the VPN. Or remove its routes, which 'ip route show dev \(name)' lists: "
        + "traffic then leaves without the VPN."
    case .pointToPointDownRoute:
      return "Start the connection of \(name) again. If it is a VPN, traffic leaves without it once its routes are "
        + "removed; 'ip route show dev \(name)' lists them."
    case .deadTunnelLeg:
      return
        "Start the connection of \(name) again. If it is a VPN, its share of the traffic leaves without it once "
        + "this leg is removed; 'ip route' lists the legs."
    case .linkDownRoute, .linkDownLeg:
      return "Repair \(name), or let the kernel move to another interface by itself: "
        + "'sysctl net.ipv4.conf.all.ignore_routes_with_linkdown=1' (for IPv6 net.ipv6.conf.all)."
    case .noDefaultRoute:
      let device = subject == nil ? "" : " dev \(name)"
      return "Is a gateway missing in the configuration? 'ip route add default via ROUTER\(device)' adds one until the "
        + "next start. On a closed network, name an address of yours with --probe, or with Probe= in "
        + "pathmonitor.conf(5)."
    case .routeInVRF:
      return "Run the program in the VRF: ip vrf exec \(name) COMMAND. For all other programs, table main needs a "
        + "route."
    case .noRouteToAddress:
      return "'ip route' and 'ip -6 route' list what there is. Is a VPN down, or a gateway missing?"
    case .bridgeWithoutPorts: return "Add the network card that it is for: ip link set CARD master \(name)"
    case .addressOnPort:
      return
        "Move its address and its routes to the bridge or bond, which 'ip link show \(name)' names behind 'master'."
    case .routerSilent:
      return "Is the router on, and is this its address? 'ip neigh' shows its entry, and 'ping \(name)' asks it again."
    case .noNameServer:
      return "Name a server in /etc/resolv.conf, or start the program that writes the file, such as systemd-resolved, "
        + "NetworkManager or the DHCP client."
    case .smallMTU: return "If nobody has chosen it on purpose: ip link set \(name) mtu 1500"
    case .familyWithoutRoute: return "'ip -6 route' and 'ip route' list the routes of each family."
    default: return nil
    }
  }

  /// A look at rules or routes that somebody has made on purpose, as kill switches do.
  private static func inquiry(_ command: String) -> String {
    "\(command) Find out which program made it before you delete it: it may be the kill switch of a VPN."
  }
}
