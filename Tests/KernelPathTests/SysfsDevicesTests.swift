import PathDecisions
import ProcessTestSupport
import Testing

@testable import KernelPath

/// Trees as /sys/class/net shows them, recorded on real machines.
@Suite("Devices in sysfs")
struct SysfsDevicesTests {
  private let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
  }

  @Test func `a wireless card is known by its device type and its phy`() throws {
    try directory.write("wlan0/uevent", "DEVTYPE=wlan\nINTERFACE=wlan0\nIFINDEX=3\n")
    try directory.makeDirectory("wlan0/wireless")
    try directory.link("wlan0/phy80211", to: "../../ieee80211/phy0")
    try directory.link("wlan0/device/driver", to: "../../../../bus/pci/drivers/iwlwifi")
    #expect(
      device("wlan0", 3) == DeviceFacts(deviceType: "wlan", isWireless: true, driver: "iwlwifi"))
  }

  @Test func `a phy alone is a wireless card, too`() throws {
    try directory.write("mon0/uevent", "INTERFACE=mon0\nIFINDEX=4\n")
    try directory.makeDirectory("ieee80211/phy0")
    try directory.link("mon0/phy80211", to: "../ieee80211/phy0")
    #expect(device("mon0", 4) == DeviceFacts(isWireless: true))
  }

  @Test func `a modem is known by its device type`() throws {
    try directory.write("wwan0/uevent", "DEVTYPE=wwan\nINTERFACE=wwan0\nIFINDEX=5\n")
    try directory.link("wwan0/device/driver", to: "../../../../../bus/usb/drivers/qmi_wwan")
    #expect(device("wwan0", 5) == DeviceFacts(deviceType: "wwan", driver: "qmi_wwan"))
  }

  @Test func `a virtual machine's card has a driver and no device type`() throws {
    try directory.write("eth0/uevent", "INTERFACE=eth0\nIFINDEX=2\n")
    try directory.link("eth0/device/driver", to: "../../../bus/virtio/drivers/virtio_net")
    #expect(device("eth0", 2) == DeviceFacts(driver: "virtio_net"))
  }

  @Test func `for a device without a driver, its parent's is used`() throws {
    try directory.write("net0/uevent", "INTERFACE=net0\nIFINDEX=6\n")
    try directory.makeDirectory("net0/device")
    try directory.link("net0/driver", to: "../bus/pci/drivers/mhi_net")
    #expect(device("net0", 6)?.driver == "mhi_net")
  }

  @Test func `a virtual device has neither`() throws {
    try directory.write("br0/uevent", "DEVTYPE=bridge\nINTERFACE=br0\nIFINDEX=7\n")
    #expect(device("br0", 7) == DeviceFacts(deviceType: "bridge", isVirtual: true))
  }

  /// A USB device whose network function has the driver, with further functions: class, subclass, protocol.
  private func usbDevice(
    _ driver: String, _ functions: [(String, String, String)], product: String = "18d1/4eeb/510"
  ) throws -> DeviceFacts? {
    try directory.write("net/usb0/uevent", "INTERFACE=usb0\nIFINDEX=8\n")
    try directory.link("net/usb0/device", to: "../../usb1/1-2/1-2:1.0")
    try directory.link("usb1/1-2/1-2:1.0/driver", to: "../../../bus/usb/drivers/\(driver)")
    try directory.write(
      "usb1/1-2/1-2:1.0/uevent",
      "DEVTYPE=usb_interface\nDRIVER=\(driver)\nPRODUCT=\(product)\nTYPE=0/0/0\nINTERFACE=2/6/0\n")
    for (number, function) in ([("e0", "01", "03")] + functions).enumerated() {
      let interface = "usb1/1-2/1-2:1.\(number)"
      try directory.write("\(interface)/bInterfaceClass", "\(function.0)\n")
      try directory.write("\(interface)/bInterfaceSubClass", "\(function.1)\n")
      try directory.write("\(interface)/bInterfaceProtocol", "\(function.2)\n")
    }
    try directory.write("usb1/1-2/product", "Pixel 7\n")
    return SysfsDevices(root: directory("net")).device(of: LinkFacts(index: 8, name: "usb0"))
  }

  @Test func `a phone on a cable is known by its other functions`() throws {
    #expect(
      try usbDevice("rndis_host", [("0a", "00", "00"), ("ff", "42", "01")])
        == DeviceFacts(driver: "rndis_host", phoneFunction: .debugging))
  }

  @Test func `a phone that shares its files is known, too`() throws {
    #expect(try usbDevice("cdc_ncm", [("06", "01", "01")])?.phoneFunction == .mediaTransfer)
  }

  @Test(
    arguments: [
      ("cdc_ether", "12d1/14dc/102", "12d1:14dc"), ("cdc_ether", "12d1/14db/102", "12d1:14db"),
      ("cdc_ether", "19d2/1405/5501", "19d2:1405"), ("rndis_host", "19d2/1403/5501", "19d2:1403"),
      ("rndis_host", "1bbb/195/228", "1bbb:0195"), ("cdc_ncm", "12d1/14dc/102", "12d1:14dc"),
    ])
  func `an LTE stick in router mode is known by its product`(driver: String, product: String, name: String) throws {
    #expect(
      try usbDevice(driver, [("0a", "00", "00")], product: product)
        == DeviceFacts(driver: driver, stick: .product(name)))
  }

  @Test(arguments: ["cdc_ether", "rndis_host"])
  func `an LTE stick of another product is known by its storage`(driver: String) throws {
    #expect(
      try usbDevice(driver, [("0a", "00", "00"), ("08", "06", "50")], product: "2020/4031/318")
        == DeviceFacts(driver: driver, stick: .storage))
  }

  @Test(arguments: ["cdc_ncm", "cdc_eem"])
  func `storage beside a function that LTE sticks do not have in router mode says nothing`(driver: String) throws {
    #expect(try usbDevice(driver, [("0a", "00", "00"), ("08", "06", "50")]) == DeviceFacts(driver: driver))
  }

  @Test(arguments: ["", "12d1", "12d1/", "14dc/12d1/102", "12d1/14dc0/1", "xyz/14dc/1", "/12d1/14dd/1"])
  func `a product that is not known, or is no product, says nothing`(product: String) throws {
    #expect(try usbDevice("cdc_ether", [], product: product) == DeviceFacts(driver: "cdc_ether"))
  }

  @Test func `a device without functions that can be read has neither sign`() throws {
    try directory.write("net/usb1/uevent", "INTERFACE=usb1\nIFINDEX=9\n")
    try directory.link("net/usb1/device", to: "../../usb1/1-3/1-3:1.0")
    try directory.link("usb1/1-3/1-3:1.0/driver", to: "../../../bus/usb/drivers/cdc_ether")
    let devices = SysfsDevices(root: directory("net"))
    #expect(devices.device(of: LinkFacts(index: 9, name: "usb1")) == DeviceFacts(driver: "cdc_ether"))
  }

  @Test func `for other drivers no further files are read`() throws {
    #expect(try usbDevice("r8152", [("ff", "42", "01")]) == DeviceFacts(driver: "r8152"))
  }

  @Test func `a device of the same name in another namespace is not used, and a note reports it`() throws {
    try directory.write("eth0/uevent", "INTERFACE=eth0\nIFINDEX=2\n")
    let devices = SysfsDevices(root: directory.path)
    #expect(devices.device(of: LinkFacts(index: 9, name: "eth0")) == nil)
    #expect(try #require(devices.note).contains("another network namespace"))
  }

  @Test func `a tree that cannot be read gives no facts, and a note has the reason`() throws {
    let devices = SysfsDevices(root: directory("missing"))
    #expect(devices.note == nil)
    #expect(devices.device(of: LinkFacts(index: 2, name: "eth0")) == nil)
    let note = try #require(devices.note)
    #expect(note.hasPrefix("cannot open \(directory("missing"))/eth0/uevent"))
    try directory.makeDirectory("eth1/uevent")
    let second = SysfsDevices(root: directory.path)
    #expect(second.device(of: LinkFacts(index: 2, name: "eth1")) == nil)
    #expect(second.note != nil)
  }

  @Test func `lines without an equals sign, and values with one, are read as they are`() throws {
    try directory.write("eth0/uevent", "nonsense\nIFINDEX=2\n\nDEVTYPE=a=b")
    #expect(device("eth0", 2)?.deviceType == "a=b")
  }

  @Test func `facts are read once, and again when the name changes or the link is gone`() throws {
    try directory.write("eth0/uevent", "IFINDEX=2\nDEVTYPE=wlan\n")
    let devices = SysfsDevices(root: directory.path)
    #expect(devices.device(of: LinkFacts(index: 2, name: "eth0"))?.deviceType == "wlan")
    try directory.write("eth0/uevent", "IFINDEX=2\nDEVTYPE=wwan\n")
    #expect(devices.device(of: LinkFacts(index: 2, name: "eth0"))?.deviceType == "wlan")
    try directory.move("eth0", to: "eth1")
    #expect(devices.device(of: LinkFacts(index: 2, name: "eth1"))?.deviceType == "wwan")
    try directory.write("eth1/uevent", "IFINDEX=2\nDEVTYPE=gadget\n")
    devices.forget(2)
    #expect(devices.device(of: LinkFacts(index: 2, name: "eth1"))?.deviceType == "gadget")
  }

  private func device(_ name: String, _ index: Int32) -> DeviceFacts? {
    let devices = SysfsDevices(root: directory.path)
    defer { #expect(devices.note == nil) }
    return devices.device(of: LinkFacts(index: index, name: name))
  }
}
