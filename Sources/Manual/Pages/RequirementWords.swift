internal import PathModel

/// What the parts of a requirement mean, for readers of the manual and for shells that show it beside the words.
extension PathRequirement.Word {
  /// What the word asks, as a phrase.
  package var meaning: String {
    switch self {
    case .connected: "there is a usable route"
    case .offline: "there is no usable route"
    case .unmetered: "the path is not expensive, as far as is known"
    case .unmeteredKnown: "the path is not expensive, and that is no guess"
    case .unconstrained: "no one has asked to save data"
    case .wifi: "the path uses Wi-Fi, also below a VPN"
    case .cellular: "the path uses a mobile network, also below a VPN"
    case .ethernet: "the path uses a cable, also below a VPN"
    case .vpn: "a tunnel carries the traffic"
    case .ipv4: "IPv4 destinations can be reached"
    case .ipv6: "IPv6 destinations can be reached"
    case .dns: "there is a name server that can be reached"
    }
  }
}

extension PathRequirement.Key {
  /// What the key asks, as a phrase.
  package var meaning: String {
    switch self {
    case .interface: "this interface carries the traffic"
    case .type: "the path uses interfaces of this type"
    case .via: "a usable path goes through this interface or type"
    }
  }

  /// What stands behind the equals sign.
  var placeholders: [String] {
    switch self {
    case .interface: ["NAME"]
    case .type: ["TYPE"]
    case .via: ["NAME", "TYPE"]
    }
  }
}
