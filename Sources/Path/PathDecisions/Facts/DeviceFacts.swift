/// The facts of sysfs about the device behind a link. All of them are world-readable.
package struct DeviceFacts: Hashable, Sendable {
  /// `DEVTYPE` of `/sys/class/net/NAME/uevent`, such as `wlan`; `nil` when there is none.
  package var deviceType: String?
  /// Whether there is a `phy80211` link or a `wireless` directory: both mean IEEE 802.11.
  package var isWireless: Bool
  /// The base name of `device/driver`, or of the parent device's driver; `nil` for virtual devices.
  package var driver: String?
  /// Whether no hardware is behind the link: there is no `device` link.
  package var isVirtual: Bool
  /// A function beside the network, among those that only phones offer; `nil` when the USB device has none, and for
  /// drivers that phones do not have.
  package var phoneFunction: PhoneFunction?
  /// The sign that the USB device is an LTE stick that works as a router; `nil` without one, and for drivers that such
  /// sticks do not have.
  package var stick: MobileStick?

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

  /// A sign of an LTE stick in router mode. Such a stick looks like a network adapter to the kernel.
  package enum MobileStick: Hashable, Sendable {
    /// The USB product, such as `12d1:14dc`.
    case product(String)
    /// The device also offers storage for its driver and for a memory card. Network adapters do not.
    case storage

    /// The products with the numbers of their vendors: HiLink sticks of Huawei, and sticks of ZTE and Alcatel.
    private static let products: [[UInt16]] = [
      [0x12d1, 0x14db], [0x12d1, 0x14dc], [0x19d2, 0x1403], [0x19d2, 0x1405], [0x1bbb, 0x0195],
    ]

    /// The sign in the variable `PRODUCT` of a USB device, such as `12d1/14dc/102`; `nil` for other products.
    package init?(product: String) {
      let numbers = product.unicodeScalars.split(separator: "/").prefix(2).compactMap { UInt16(String($0), radix: 16) }
      guard Self.products.contains(numbers) else { return nil }
      self = .product(
        numbers.map { number in
          let digits = String(number, radix: 16)
          return String(repeating: "0", count: 4 - digits.count) + digits
        }.joined(separator: ":"))
    }

    /// The sign in the function of a USB interface by its class, subclass and protocol, as sysfs writes them.
    package init?(driver: String, interfaceClass: String, subclass: String, interfaceProtocol: String) {
      guard driver == "cdc_ether" || driver == "rndis_host",
        (interfaceClass, subclass, interfaceProtocol) == ("08", "06", "50")
      else { return nil }
      self = .storage
    }
  }

  /// Whether phones, LTE sticks and network adapters have the driver, so that other properties of the device decide.
  package static func mayBePhone(driver: String) -> Bool { DeviceCost.adapterDrivers.contains(driver) }

  /// Facts as read; everything that is left out is absent.
  package init(
    deviceType: String? = nil, isWireless: Bool = false, driver: String? = nil, isVirtual: Bool = false,
    phoneFunction: PhoneFunction? = nil, stick: MobileStick? = nil
  ) {
    self.deviceType = deviceType
    self.isWireless = isWireless
    self.isVirtual = isVirtual
    self.driver = driver
    self.phoneFunction = phoneFunction
    self.stick = stick
  }
}
