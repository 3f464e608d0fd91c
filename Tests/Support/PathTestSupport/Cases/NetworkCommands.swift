/// The commands of cases, and the lines for bash that they stand for.
///
/// `$NS` is the namespace of a case, and `${NS}p` has the other ends of its cables: the end of `eth0` is `p0`, with the
/// index 110 beside 10, that of `eth1` is `p1`. `wan:p0` names the end of another link. Commands are separated by `; `.
///
/// | command | meaning |
/// |---|---|
/// | `pair LINK` | both ends of a cable, switched off |
/// | `cable LINK [ADDRESS]` | both ends of a cable, switched on, and an address of `LINK` |
/// | `uplink LINK ADDRESS via ROUTER …` | a cable with an address and a default route, whose further words may follow |
/// | `tun LINK [SECONDS]`, `tap LINK …` | a tunnel of a program that ends after so many seconds, or after 60 |
/// | `send HOST` | a datagram to the host, which may make the kernel choose another route |
/// | `sysctl KEY=VALUE …` | sysctl(8) |
/// | `link …`, `addr …`, `route …`, `rule …`, `neigh …`, `nexthop …`, `-4 …`, `-6 …` | ip(8) |
/// | `peer …` | one of the last two rows in `${NS}p` |
/// | `sleep SECONDS` | sleep(1) |
/// | `$ LINE` | a line for bash as it stands, which takes up the rest of the line |
package enum NetworkCommands {
  /// The commands with which every network begins.
  package static let beginning = ["ip -n $NS link set lo up", "ip netns add ${NS}p"]

  /// The lines for bash of an item.
  package static func lines(of item: CaseBlock.Item) throws(CaseMistake) -> [String] {
    if item.text.hasPrefix("$ ") { return [String(item.text.dropFirst(2))] }
    var lines: [String] = []
    for words in item.commands {
      guard let made = commands(words) else {
        throw item.mistake("'\(words.joined(separator: " "))' is no command of NetworkCommands.swift")
      }
      lines += made
    }
    return lines
  }

  private static func commands(_ words: [String]) -> [String]? {
    guard words.count > 1 else { return nil }
    let rest = Array(words.dropFirst())
    return switch words[0] {
    case "pair": pair(rest[0]).map { [$0.line] }
    case "cable": cable(rest)
    case "uplink": uplink(rest)
    case "tun": [tunnel(rest, flags: "0x1001")]
    case "tap": [tunnel(rest, flags: "0x1002")]
    case "send": [send(to: rest[0])]
    case "sleep": [words.joined(separator: " ")]
    case "peer": plain(rest, namespace: "${NS}p").map { [$0] }
    default: plain(words, namespace: "$NS").map { [$0] }
    }
  }

  private static func plain(_ words: [String], namespace: String) -> String? {
    let text = words.joined(separator: " ")
    return switch words[0] {
    case "link", "addr", "route", "rule", "neigh", "nexthop", "-4", "-6": "ip -n \(namespace) \(text)"
    case "sysctl": "ip netns exec \(namespace) sysctl -qw \(words.dropFirst().joined(separator: " "))"
    default: nil
    }
  }

  /// The link of a cable, its other end, the index of the link, and the command that makes both.
  static func pair(_ name: String) -> (link: String, end: String, index: Int32, line: String)? {
    let parts = name.split(separator: ":").map(String.init)
    guard let digit = (parts.last ?? "").last?.wholeNumberValue else { return nil }
    let (link, end) = (parts[0], parts.count > 1 ? parts[1] : "p\(digit)")
    let line =
      "ip -n $NS link add \(link) index 1\(digit) type veth peer name \(end) netns ${NS}p index 11\(digit)"
    return (link, end, 10 + Int32(digit), line)
  }

  private static func cable(_ words: [String]) -> [String]? {
    guard let pair = pair(words[0]), words.count <= 2 else { return nil }
    let address = words.dropFirst().map { address in
      "ip -n $NS "
        + (address.contains(":")
          ? "-6 addr add \(address) dev \(pair.link) nodad"
          : "addr add \(address) dev \(pair.link)")
    }
    return [pair.line, "ip -n ${NS}p link set \(pair.end) up", "ip -n $NS link set \(pair.link) up"] + address
  }

  private static func uplink(_ words: [String]) -> [String]? {
    guard words.count >= 4, words[2] == "via", let cable = cable(Array(words[..<2])), let pair = pair(words[0])
    else { return nil }
    let family = words[3].contains(":") ? "-6 " : ""
    let further = words[4...].map { " \($0)" }.joined()
    return cable + ["ip -n $NS \(family)route add default via \(words[3]) dev \(pair.link)\(further)"]
  }

  /// A program holds the other end of the tunnel, and the line ends when the link is there.
  private static func tunnel(_ words: [String], flags: String) -> String {
    let (link, seconds) = (words[0], words.count > 1 ? words[1] : "60")
    let program =
      "import os,fcntl,struct,time;f=os.open('/dev/net/tun',2);"
      + "fcntl.ioctl(f,0x400454ca,struct.pack('16sH',b'\(link)',\(flags)));time.sleep(\(seconds))"
    return "ip netns exec $NS python3 -c \"\(program)\" >/dev/null 2>&1 & "
      + "until ip -n $NS link show \(link) >/dev/null 2>&1; do sleep 0.05; done"
  }

  private static func send(to host: String) -> String {
    let family = host.contains(":") ? 10 : 2
    return "ip netns exec $NS python3 -c "
      + "\"import socket;s=socket.socket(\(family),2);s.connect(('\(host)',9));s.send(b'x')\""
  }
}
