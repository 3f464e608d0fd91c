import PathModel
import ProcessTestSupport
import Testing

/// The destinations that connect(2) reaches in a namespace, by unbound sockets and by those bound to each link.
struct Reach {
  /// The destinations that are reached, as `DESTINATION` or `DESTINATION over LINK`.
  var destinations: Set<String>

  /// Connects a datagram socket for each destination and link. No packet is sent.
  ///
  /// A destination counts as reached if connect(2) succeeds and the link of the source address can carry packets to it:
  /// it has a carrier, and is no port of a bridge, which would take the answers.
  static func measured(in namespace: String) async throws -> Reach {
    let outcome = try await Python.run(script, namespace: namespace)
    let list = try JSONValue(parsing: Array(outcome.output.utf8)).arrayValue
    return Reach(destinations: Set(try #require(list).compactMap(\.stringValue)))
  }

  private static let script = """
    import ipaddress, json, os, socket, subprocess
    links = json.loads(subprocess.run(["ip", "-j", "address"], stdout=subprocess.PIPE).stdout)
    owner, targets = {}, ["17.253.0.1", "193.0.14.129", "203.0.113.9", "10.20.0.1", "2001:7fd::1", "2001:db8:9::1"]
    for link in links:
        for address in link["addr_info"]:
            owner[address["local"]] = link["ifname"]
            network = ipaddress.ip_interface(address["local"] + "/" + str(address["prefixlen"])).network
            if not network.is_loopback and not network.is_link_local and network.num_addresses > 2:
                targets.append(str(network[1]))
                targets.append(str(network[77 % network.num_addresses]))
    def carries(name):
        link = next(link for link in links if link["ifname"] == name)
        kind = json.loads(subprocess.run(["ip", "-j", "-d", "link", "show", link["master"]], stdout=subprocess.PIPE)
            .stdout)[0]["linkinfo"]["info_kind"] if "master" in link else None
        return "LOWER_UP" in link["flags"] and kind not in ("bridge", "bond", "team")
    alive = {link["ifname"]: carries(link["ifname"]) for link in links}
    reached = set()
    for target in targets:
        for name in [None] + [link["ifname"] for link in links]:
            s = socket.socket(socket.AF_INET6 if ":" in target else socket.AF_INET, socket.SOCK_DGRAM)
            try:
                if name:
                    s.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, name.encode())
                s.connect((target, 9))
                device = name or owner.get(s.getsockname()[0].split("%")[0])
                if device is None or alive[device]:
                    reached.add(target + (" over " + name if name else ""))
            except OSError:
                pass
            s.close()
    print(json.dumps(sorted(reached)))
    """
}
