/// What sysfs says of the device behind a link, all of it world-readable.
package struct DeviceFacts: Hashable, Sendable {
  /// `DEVTYPE` of `/sys/class/net/NAME/uevent`, such as `wlan`; `nil` when there is none.
  package var deviceType: String?
  /// Whether there is a `phy80211` link or a `wireless` directory: both mean IEEE 802.11.
  package var isWireless: Bool
  /// The base name of `device/driver`, or of the parent device's driver; `nil` for virtual devices.
  package var driver: String?

  /// Facts as read; everything that is left out is absent.
  package init(deviceType: String? = nil, isWireless: Bool = false, driver: String? = nil) {
    self.deviceType = deviceType
    self.isWireless = isWireless
    self.driver = driver
  }
}
