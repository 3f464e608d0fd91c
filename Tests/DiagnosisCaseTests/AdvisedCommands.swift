/// The commands in an advice that change the machine.
struct AdvisedCommands {
  /// The commands, with `CARD` and `ROUTER` as in the advice.
  var commands: [String]

  private static let changing = ["ip link set ", "ip route add ", "ip rule add ", "sysctl "]

  init(in advice: String) {
    let parts = advice.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
    var texts: [String] = []
    for (position, part) in parts.enumerated() {
      if position % 2 == 1 {
        texts.append(part)
      } else if let start = Self.lastColon(in: part) {
        texts += part[start...].split(separator: ";").map { String($0.drop { $0 == " " }) }
      }
    }
    commands = texts.filter { text in Self.changing.contains { text.hasPrefix($0) } }
    // "(for IPv6 net.ipv6.conf.all)" stands behind the command for IPv4.
    commands += commands.filter { $0.hasPrefix("sysctl net.ipv4.") }.map { command in
      "sysctl net.ipv6.\(command.dropFirst("sysctl net.ipv4.".count))"
    }
  }

  private static func lastColon(in text: String) -> String.Index? {
    text.lastIndex(of: ":").map { text.index(after: $0) }
  }
}
