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
    if delay > .zero { words.append("delay \(delay.milliseconds)ms") }
    if loss > 0 { words.append("loss \(Int((loss * 100).rounded()))%") }
    if let bitsPerSecond {
      words.append("rate \(bitsPerSecond / 1_000)kbit")
      // The queue holds the packets that are on their way, and those of a tenth of a second before them. It counts
      // small packets as large ones.
      let seconds = Double(delay.milliseconds) / 1_000 + LinkLine.longestQueueSeconds
      words.append("limit \(max(50, Int((Double(bitsPerSecond) / 8 * seconds / 1_500).rounded(.up))))")
    }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
