internal import CNetlink
internal import PathDecisions

/// A socket for the family nl80211, which reports the modes and the networks of wireless interfaces. Everybody may ask
/// it.
struct WirelessSocket: ~Copyable {
  private let socket: GenericSocket

  /// Opens a socket.
  ///
  /// - Returns: `nil` when the kernel has no wireless networks, or a sandbox forbids the socket.
  init?() {
    guard let socket = GenericSocket("nl80211") else { return nil }
    self.socket = socket
  }

  /// The interface as the kernel describes it; `nil` when it is not wireless, or cannot be asked about.
  func interface(_ index: Int32) -> WirelessMessage? {
    answers(NL80211_CMD_GET_INTERFACE, flags: 0, about: index).last
  }

  /// The name of the network, among those that were seen in a scan, that an interface is connected to; `nil` when it is
  /// not, or cannot be asked.
  ///
  /// Linux 6.1 does not report the name with the interface if a program such as wpa_supplicant has made the connection.
  func scannedName(of index: Int32) -> NetworkName? {
    answers(NL80211_CMD_GET_SCAN, flags: NLM_F_DUMP, about: index).compactMap(\.networkName).last
  }

  private func answers(_ command: nl80211_commands, flags: Int32, about index: Int32) -> [WirelessMessage] {
    var answers: [WirelessMessage] = []
    _ = socket.ask(command, flags: flags, about: index, in: NL80211_ATTR_IFINDEX) {
      (message) throws(NetlinkDecodingError) in
      let answer = try WirelessMessage(message)
      if answer.interfaceIndex == index { answers.append(answer) }
    }
    return answers
  }
}
