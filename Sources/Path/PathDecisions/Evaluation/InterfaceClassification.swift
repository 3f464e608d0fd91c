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
    let fits: @Sendable (LinkFacts, LinkRole) -> Bool
  }

  /// Classifies a link by the facts of the kernel and, where it can be read, sysfs.
  ///
  /// - Parameters:
  ///   - isCable: Whether a device that could be a tunnel is a cable here; see ``CarrierWalk/isTunnel(_:)``.
  ///   - isStacked: Whether links below it carry its frames; see ``CarrierWalk/isStacked(_:)``.
  package static func classify(_ link: LinkFacts, isCable: Bool = false, isStacked: Bool = false) -> InterfaceClass {
    if isCable { return InterfaceClass(type: .wiredEthernet, rule: "tap that is a cable") }
    let role = link.role
    guard let row = rows.first(where: { $0.fits(link, role) }), !isStacked || row.inherits else {
      return InterfaceClass(
        type: .other, inherits: isStacked, rule: isStacked ? "unknown kind with ports" : "none of the known")
    }
    return InterfaceClass(type: row.type, isTunnel: row.isTunnel, inherits: row.inherits, rule: row.rule)
  }

  // A list instead of a set: it is short, and building a set would cost a program that asks once more than searching.
  private static let cellularDrivers = [
    "qmi_wwan", "cdc_mbim", "huawei_cdc_ncm", "sierra_net", "hso", "cdc-phonet", "cdc_phonet", "mhi_net",
    "mhi_wwan_mbim", "iosm", "mtk_t7xx", "ipa",
  ]

  private static let rows: [Row] = [
    Row(rule: "loopback flag or ARPHRD_LOOPBACK", type: .loopback) { _, role in role == .loopback },
    // PPP may be a DSL line, a modem or a VPN, and the kernel does not say which. Calling a DSL line a VPN would be the
    // more dangerous mistake.
    Row(rule: "kind ppp or vrf", type: .other) { link, role in link.kind == "ppp" || role == .routingDomain },
    Row(rule: "kind of a modem channel", type: .cellular) { link, _ in link.kindRole == .uplink },
    Row(rule: "kind of a tunnel", type: .other, isTunnel: true) { link, _ in link.kindRole == .tunnel },
    Row(rule: "DEVTYPE l2tpeth, or no hardware and no other host", type: .other, isTunnel: true) { _, role in
      role == .tunnel
    },
    Row(rule: "kind of a sink", type: .other) { link, _ in link.kindRole == .sink },
    Row(rule: "kind of a stacked device", type: .other, inherits: true) { _, role in role == .stacked },
    Row(rule: "kind of a pair", type: .wiredEthernet) { link, _ in link.isPair },
    Row(rule: "wireless device or DEVTYPE wlan", type: .wifi) { link, _ in
      link.device?.deviceType == "wlan" || link.device?.isWireless == true
        || HardwareType.wirelessMonitor.contains(link.hardwareType)
    },
    Row(rule: "hardware type without IP", type: .other) { _, role in role == .withoutIP },
    Row(rule: "DEVTYPE wwan or a raw IP hardware type", type: .cellular) { link, _ in
      link.device?.deviceType == "wwan"
        || [HardwareType.rawIP, HardwareType.oldRawIP, HardwareType.phonetPipe].contains(link.hardwareType)
    },
    Row(rule: "name of a modem", type: .cellular) { link, _ in link.hasNameOfModem },
    Row(rule: "driver of a modem", type: .cellular) { link, _ in
      link.device?.driver.map(cellularDrivers.contains) ?? false
    },
    Row(rule: "driver of a USB network adapter or phone", type: .wiredEthernet) { link, _ in
      link.kind == nil
        && (link.device?.driver.map { $0 == DeviceCost.iPhoneDriver || DeviceCost.adapterDrivers.contains($0) }
          ?? false)
    },
    Row(rule: "DEVTYPE bluetooth", type: .other) { link, _ in
      link.device?.deviceType == "bluetooth" && link.hardwareType == HardwareType.ethernet
    },
    Row(rule: "DEVTYPE gadget or dsa, InfiniBand, channel-to-channel", type: .wiredEthernet) { link, _ in
      link.device?.deviceType == "gadget" || link.device?.deviceType == "dsa"
        || (link.kind == nil && [HardwareType.infiniband, HardwareType.slip].contains(link.hardwareType))
    },
    Row(rule: "name wl…, as sysfs cannot be read", type: .wifi) { link, _ in
      link.device == nil && link.kind == nil && link.hardwareType == HardwareType.ethernet && link.name.hasPrefix("wl")
    },
    Row(rule: "Ethernet frames, no kind, no DEVTYPE", type: .wiredEthernet) { link, _ in
      link.hardwareType == HardwareType.ethernet && link.kind == nil && link.device?.deviceType == nil
    },
  ]
}
