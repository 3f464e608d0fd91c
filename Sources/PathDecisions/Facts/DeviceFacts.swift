/// The facts of sysfs about the device behind a link. All of them are world-readable.
package struct DeviceFacts: Hashable, Sendable {
  /// `DEVTYPE` of `/sys/class/net/NAME/uevent`, such as `wlan`; `nil` when there is none.
  package var deviceType: String?
  /// Whether there is a `phy80211` link or a `wireless` directory: both mean IEEE 802.11.
  package var isWireless: Bool
  /// The base name of `device/driver`, or of the parent device's driver; `nil` for virtual devices.
  package var driver: String?
  /// A function beside the network, among those that only phones offer; `nil` when the USB device has none, and for
  /// drivers that phones do not have.
  package var phoneFunction: PhoneFunction?

  /// A function that distinguishes a phone on a USB cable from a network adapter.
  package enum PhoneFunction: String, Hashable, Sendable {
    case mediaTransfer = "files (MTP)"
    case debugging = "debugging (ADB)"

    /// The function of a USB interface by its class, subclass and protocol, as sysfs writes them; `nil` for others.
    package init?(interfaceClass: String, subclass: String, interfaceProtocol: String) {
      switch (interfaceClass, subclass, interfaceProtocol) {
      case ("06", "01", "01"): self = .mediaTransfer
      case ("ff", "42", "01"): self = .debugging
      default: return nil
      }
    }
  }

  /// Whether both phones and network adapters have the driver, so that only other functions of the device decide.
  package static func mayBePhone(driver: String) -> Bool { DeviceCost.adapterDrivers.contains(driver) }

  /// Facts as read; everything that is left out is absent.
  package init(
    deviceType: String? = nil, isWireless: Bool = false, driver: String? = nil, phoneFunction: PhoneFunction? = nil
  ) {
    self.deviceType = deviceType
    self.isWireless = isWireless
    self.driver = driver
    self.phoneFunction = phoneFunction
  }
}
