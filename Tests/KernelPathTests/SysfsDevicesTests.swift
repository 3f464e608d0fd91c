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

  private func device(_ name: String, _ index: Int32) -> DeviceFacts? {
    let devices = SysfsDevices(root: directory.path)
    defer { #expect(devices.note == nil) }
    return devices.device(of: LinkFacts(index: index, name: name))
  }

  @Test func `a device is known by its type, its phy and its driver, or its parent's`() throws {
    for (name, index, type) in [
      ("wlan0", 3, "DEVTYPE=wlan\n"), ("mon0", 4, ""), ("wwan0", 5, "DEVTYPE=wwan\n"), ("eth0", 2, ""), ("net0", 6, ""),
      ("br0", 7, "DEVTYPE=bridge\n"),
    ] {
      try directory.write("\(name)/uevent", "\(type)INTERFACE=\(name)\nIFINDEX=\(index)\n")
    }
    for folder in ["wlan0/wireless", "ieee80211/phy0", "net0/device"] { try directory.makeDirectory(folder) }
    try directory.link("wlan0/phy80211", to: "../../ieee80211/phy0")
    try directory.link("mon0/phy80211", to: "../ieee80211/phy0")
    for (name, driver) in [
      ("wlan0", "pci/drivers/iwlwifi"), ("wwan0", "usb/drivers/qmi_wwan"), ("eth0", "virtio/virtio_net"),
    ] {
      try directory.link("\(name)/device/driver", to: "../../../../bus/\(driver)")
    }
    try directory.link("net0/driver", to: "../bus/pci/drivers/mhi_net")
    #expect(device("wlan0", 3) == DeviceFacts(deviceType: "wlan", isWireless: true, driver: "iwlwifi"))
    #expect(device("mon0", 4) == DeviceFacts(isWireless: true))
    #expect(device("wwan0", 5) == DeviceFacts(deviceType: "wwan", driver: "qmi_wwan"))
    #expect(device("eth0", 2) == DeviceFacts(driver: "virtio_net"))
    #expect(device("net0", 6)?.driver == "mhi_net")
    #expect(device("br0", 7) == DeviceFacts(deviceType: "bridge", isVirtual: true))
  }

  /// A USB device whose network function has the driver, with further functions: class, subclass, protocol.
  private func usbDevice(
    _ driver: String, _ functions: [(String, String, String)], product: String
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

  private static let (data, storage) = (("0a", "00", "00"), ("08", "06", "50"))

  @Test(
    arguments: [
      ("rndis_host", [data, ("ff", "42", "01")], "", .init(phoneFunction: .debugging)),
      ("cdc_ncm", [("06", "01", "01")], "", .init(phoneFunction: .mediaTransfer)),
      // For other drivers no further files are read.
      ("r8152", [("ff", "42", "01")], "", .init()),
      // LTE sticks in router mode.
      ("cdc_ether", [data], "12d1/14dc/102", .init(stick: .product("12d1:14dc"))),
      ("cdc_ether", [data], "12d1/14db/102", .init(stick: .product("12d1:14db"))),
      ("cdc_ether", [data], "19d2/1405/5501", .init(stick: .product("19d2:1405"))),
      ("rndis_host", [data], "19d2/1403/5501", .init(stick: .product("19d2:1403"))),
      ("rndis_host", [data], "1bbb/195/228", .init(stick: .product("1bbb:0195"))),
      ("cdc_ncm", [data], "12d1/14dc/102", .init(stick: .product("12d1:14dc"))),
      // Those of another product are known by their storage, beside a function that they have in router mode.
      ("cdc_ether", [data, storage], "2020/4031/318", .init(stick: .storage)),
      ("rndis_host", [data, storage], "2020/4031/318", .init(stick: .storage)),
      ("cdc_ncm", [data, storage], "", .init()),
      ("cdc_eem", [data, storage], "", .init()),
    ] as [(String, [(String, String, String)], String, DeviceFacts)])
  func `a phone is known by its other functions, an LTE stick by its product or its storage`(
    driver: String, functions: [(String, String, String)], product: String, facts: DeviceFacts
  ) throws {
    var expected = facts
    expected.driver = driver
    #expect(try usbDevice(driver, functions, product: product.isEmpty ? "18d1/4eeb/510" : product) == expected)
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
}
