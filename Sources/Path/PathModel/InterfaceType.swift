/// The medium that carries the packets of an interface, in the terms of Apple's `NWInterface.InterfaceType`.
public enum InterfaceType: String, Hashable, Sendable, CaseIterable {
  /// Tunnels, and every interface of another or an unknown medium.
  case other
  /// IEEE 802.11.
  case wifi
  /// A mobile network: WWAN modems and their channels.
  case cellular
  /// A cable, or its substitute in a virtual machine or container.
  case wiredEthernet
  /// The machine itself.
  case loopback

  /// The names of all types, for a sentence.
  static var allNames: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// The type as people read it, such as "wired Ethernet".
  public var words: String {
    switch self {
    case .other: "other"
    case .wifi: "Wi-Fi"
    case .cellular: "cellular"
    case .wiredEthernet: "wired Ethernet"
    case .loopback: "loopback"
    }
  }
}
