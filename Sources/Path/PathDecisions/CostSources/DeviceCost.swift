internal import PathModel

/// The evidence from the interface itself: its type, its driver, and the other functions of its USB device.
enum DeviceCost {
  /// The drivers for network functions of USB devices: of phones, and of plain adapters and docks as well.
  static let adapterDrivers = ["rndis_host", "cdc_ether", "cdc_ncm", "cdc_eem"]
  /// The driver for the network function of iPhones alone.
  static let iPhoneDriver = "ipheth"

  private static func words(_ stick: DeviceFacts.MobileStick) -> String {
    switch stick {
    case .product(let product): "its product is \(product)"
    case .storage: "its device also offers storage"
    }
  }

  static func judge(_ candidate: CostCandidate, _ evidence: inout [Evidence]) {
    let name = candidate.name
    if candidate.type == .cellular {
      evidence.append(Evidence(.interfaceType, .expensive, .certain, "\(name) is a cellular interface"))
    }
    guard let device = candidate.device else { return }
    if device.driver == iPhoneDriver {
      evidence.append(
        Evidence(.driver, .expensive, .likely, "\(name) is an iPhone on a USB cable (driver \(iPhoneDriver))"))
    }
    if let driver = device.driver, adapterDrivers.contains(driver), let function = device.phoneFunction {
      evidence.append(
        Evidence(
          .driver, .expensive, .likely,
          "\(name) is a phone on a USB cable: its device also offers \(function.rawValue) (driver \(driver))"))
    }
    if let stick = device.stick, device.phoneFunction == nil {
      evidence.append(
        Evidence(
          .driver, .expensive, .likely,
          "\(name) is an LTE stick on USB: \(words(stick)) (driver \(device.driver ?? ""))"))
    }
    // Only Ethernet frames: 6LoWPAN has the same device type, and leads to sensors.
    if device.deviceType == "bluetooth", candidate.type == .other {
      evidence.append(Evidence(.driver, .expensive, .likely, "\(name) is the network of a Bluetooth device"))
    }
  }
}
