extension LinkProfile {
  /// The commands that make a cable between two network namespaces such a link, by netem of the kernel.
  ///
  /// Each end of the cable has the rules for the packets that it sends. A profile with a delay of name servers delays
  /// the packets from port 53 of the far end. Nothing limits the profile without properties, and it has no commands.
  ///
  /// - Parameters:
  ///   - near: The words before the commands for the client's end, such as `tc -n client`.
  ///   - far: The words before the commands for the server's end.
  ///   - device: The name of the cable's ends, in both namespaces.
  public func trafficControl(
    near: String = "tc -n client", far: String = "tc -n server", device: String = "wire"
  ) -> [String] {
    var commands: [String] = []
    if let words = uplink.netem { commands.append("\(near) qdisc replace dev \(device) root netem \(words)") }
    if nameLookupDelay > .zero {
      let slow = Direction(delay: downlink.delay + nameLookupDelay)
      commands += [
        "\(far) qdisc replace dev \(device) root handle 1: prio bands 4",
        "\(far) qdisc replace dev \(device) parent 1:4 netem \(slow.netem ?? "")",
        "\(far) filter add dev \(device) parent 1: protocol ip u32 match ip sport 53 0xffff flowid 1:4",
      ]
    } else if let words = downlink.netem {
      commands.append("\(far) qdisc replace dev \(device) root netem \(words)")
    }
    return commands
  }
}

extension LinkProfile.Direction {
  /// The options of netem, tc-netem(8); `nil` when it has nothing to do.
  fileprivate var netem: String? {
    var words: [String] = []
    if delay > .zero { words.append("delay \(delay.netem)") }
    if loss > 0 { words.append("loss \(Self.percent(loss))%") }
    if let bitsPerSecond {
      let isWhole = bitsPerSecond.isMultiple(of: 1_000)
      words.append(isWhole ? "rate \(bitsPerSecond / 1_000)kbit" : "rate \(bitsPerSecond)bit")
      // The queue holds the packets that are on their way, and those of a tenth of a second before them. It counts
      // small packets as large ones.
      let seconds = delay / .seconds(1) + LinkLine.longestQueue / .seconds(1)
      let packets = (Double(bitsPerSecond) / 8 * seconds / 1_500).rounded(.up)
      words.append("limit \(max(50, Int(min(packets, Self.mostPackets))))")
    }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// The packets in a queue at most, which are a gigabyte.
  private static var mostPackets: Double { 1_000_000 }

  /// A share in percent with at most four decimals. The least is not zero, which would be no loss.
  private static func percent(_ share: Double) -> String {
    let millionths = max(1, Int((share * 1_000_000).rounded()))
    let decimals = String(millionths % 10_000 + 10_000).dropFirst()
    let zeros = decimals.reversed().prefix { $0 == "0" }.count
    let significant = decimals.dropLast(zeros)
    return "\(millionths / 10_000)" + (significant.isEmpty ? "" : ".\(significant)")
  }
}

extension Duration {
  /// The time in the words of netem, which takes whole microseconds; the least is not zero.
  fileprivate var netem: String {
    let microseconds = max(1, Int64(self / .microseconds(1)))
    return microseconds.isMultiple(of: 1_000) ? "\(microseconds / 1_000)ms" : "\(microseconds)us"
  }
}
