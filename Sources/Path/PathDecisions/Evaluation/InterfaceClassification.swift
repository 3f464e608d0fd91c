package import PathModel

/// The class of an interface: its type, and the facts that follow from it.
package struct InterfaceClass: Hashable, Sendable {
  /// The medium that carries its packets.
  package var type: InterfaceType
  /// Whether it is a tunnel, so that packets travel over another interface as well.
  package var isTunnel = false
  /// Whether the type is that of the links below it.
  package var inherits = false
  /// The row of the table that decided, for explanations.
  package var rule: String
}

/// The table that classifies interfaces: the first row that fits decides.
package enum InterfaceClassification {
  private struct Row: Sendable {
    let rule: String
    let type: InterfaceType
    var isTunnel = false
    var inherits = false
    let fits: @Sendable (LinkFacts, DeviceFacts?) -> Bool
  }

  /// Classifies a link by the facts of the kernel and, where it can be read, sysfs.
  ///
  /// - Parameters:
  ///   - isCable: Whether a device that could be a tunnel is a cable here; see ``Uplinks/isTunnel(_:)``.
  ///   - isStacked: Whether links below it carry its frames; see ``Uplinks/isStacked(_:)``.
  package static func classify(
    _ link: LinkFacts, device: DeviceFacts?, isCable: Bool = false, isStacked: Bool = false
  ) -> InterfaceClass {
    if isCable { return InterfaceClass(type: .wiredEthernet, rule: "tap that is a cable") }
    guard let row = rows.first(where: { $0.fits(link, device) }) else {
      return InterfaceClass(
        type: .other, inherits: isStacked, rule: isStacked ? "unknown kind with ports" : "none of the known")
    }
    return InterfaceClass(type: row.type, isTunnel: row.isTunnel, inherits: row.inherits, rule: row.rule)
  }

  /// Whether the kind alone decides, so that sysfs need not be read.
  package static func isDecidedByKind(_ link: LinkFacts) -> Bool {
    link.isLoopback || !link.kindTraits.isEmpty
  }

  // Lists instead of sets: they are short, and building sets would cost a program that asks once more than searching.
  private static let cellularNames = ["rmnet", "rev_rmnet", "ccmni", "wwan"]
  private static let cellularDrivers = [
    "qmi_wwan", "cdc_mbim", "huawei_cdc_ncm", "sierra_net", "hso", "cdc-phonet", "cdc_phonet", "mhi_net",
    "mhi_wwan_mbim", "iosm", "mtk_t7xx", "ipa",
  ]

  /// Whether the kind is that of a tunnel.
  static func isTunnelKind(_ link: LinkFacts) -> Bool { link.kindTraits.contains(.tunnel) }

  /// Whether the kind is that of a device that passes on the frames of the links below it.
  static func isStackedKind(_ link: LinkFacts) -> Bool { link.kindTraits.contains(.stacked) }

  private static let rows: [Row] = [
    Row(rule: "loopback flag or ARPHRD_LOOPBACK", type: .loopback) { link, _ in link.isLoopback },
    Row(rule: "kind of a modem channel", type: .cellular) { link, _ in link.kindTraits.contains(.modemChannel) },
    Row(rule: "kind of a tunnel", type: .other, isTunnel: true) { link, _ in isTunnelKind(link) },
    // L2TP's Ethernet devices have no kind.
    Row(rule: "DEVTYPE l2tpeth", type: .other, isTunnel: true) { _, device in device?.deviceType == "l2tpeth" },
    // PPP may be a DSL line, a modem or a VPN, and the kernel does not say which. Calling a DSL line a VPN would be the
    // more dangerous mistake.
    Row(rule: "kind ppp or vrf", type: .other) { link, _ in link.kindTraits.contains(.pppOrRoutingDomain) },
    Row(rule: "kind of a sink", type: .other) { link, _ in link.kindTraits.contains(.sink) },
    Row(rule: "kind of a stacked device", type: .other, inherits: true) { link, _ in isStackedKind(link) },
    Row(rule: "kind of a pair", type: .wiredEthernet) { link, _ in link.kindTraits.contains(.pair) },
    Row(rule: "wireless device or DEVTYPE wlan", type: .wifi) { link, device in
      device?.deviceType == "wlan" || device?.isWireless == true
        || HardwareType.wirelessMonitor.contains(link.hardwareType)
    },
    Row(rule: "DEVTYPE wwan or a raw IP hardware type", type: .cellular) { link, device in
      device?.deviceType == "wwan"
        || [HardwareType.rawIP, HardwareType.oldRawIP].contains(link.hardwareType)
        || HardwareType.phonet.contains(link.hardwareType)
    },
    Row(rule: "name of a modem", type: .cellular) { link, _ in
      link.kind == nil && cellularNames.contains { link.name.hasPrefix($0) }
    },
    Row(rule: "driver of a modem", type: .cellular) { _, device in
      device?.driver.map(cellularDrivers.contains) ?? false
    },
    Row(rule: "driver of a USB network adapter or phone", type: .wiredEthernet) { link, device in
      link.kind == nil
        && (device?.driver.map { $0 == DeviceCost.iPhoneDriver || DeviceCost.adapterDrivers.contains($0) } ?? false)
    },
    Row(rule: "DEVTYPE bluetooth", type: .other) { link, device in
      device?.deviceType == "bluetooth" && link.hardwareType == HardwareType.ethernet
    },
    Row(rule: "DEVTYPE gadget or dsa, InfiniBand, channel-to-channel", type: .wiredEthernet) { link, device in
      device?.deviceType == "gadget" || device?.deviceType == "dsa"
        || (link.kind == nil && [HardwareType.infiniband, HardwareType.slip].contains(link.hardwareType))
    },
    Row(rule: "name wl…, as sysfs cannot be read", type: .wifi) { link, device in
      device == nil && link.kind == nil && link.hardwareType == HardwareType.ethernet && link.name.hasPrefix("wl")
    },
    Row(rule: "Ethernet frames, no kind, no DEVTYPE", type: .wiredEthernet) { link, device in
      link.hardwareType == HardwareType.ethernet && link.kind == nil && device?.deviceType == nil
    },
  ]
}
