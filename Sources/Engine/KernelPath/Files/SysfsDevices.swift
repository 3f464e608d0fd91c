internal import Glibc
internal import PathDecisions
internal import PathModel
internal import SystemIO

/// The facts in sysfs about the devices behind links. They are read when first asked for, and again when the name
/// changes.
final class SysfsDevices {
  private struct Entry {
    var name: ExactText
    var facts: DeviceFacts?
  }

  private let root: String
  private var entries: [Int32: Entry] = [:]
  /// The links whose existing files could not be read, for example for lack of descriptors.
  private var failed: Set<Int32> = []
  /// The reason why sysfs could not be used, for explanations; `nil` when it could.
  private(set) var note: String?

  /// Creates a reader of the directory: `/sys/class/net`, or a test's.
  init(root: String = "/sys/class/net") {
    self.root = root
  }

  /// Forgets a link that is gone: its index may be used again.
  func forget(_ index: Int32) {
    entries[index] = nil
    failed.remove(index)
  }

  /// Whether a reading failed, so that another one may succeed.
  var hasFailed: Bool { !failed.isEmpty }

  /// Forgets failed readings, which are then repeated on demand.
  func forgetFailures() {
    if failed.isEmpty { return }
    for index in failed { entries[index] = nil }
    failed = []
    note = nil
  }

  /// Forgets everything.
  func forgetAll() {
    entries.removeAll()
    failed = []
  }

  /// The facts; `nil` when sysfs cannot be read or shows a device of another network namespace.
  func device(of link: LinkFacts) -> DeviceFacts? {
    if let entry = entries[link.index], entry.name == link.exactName { return entry.facts }
    let facts = read(link)
    entries[link.index] = Entry(name: link.exactName, facts: facts)
    return facts
  }

  private func read(_ link: LinkFacts) -> DeviceFacts? {
    // The kernel allows no slash in a name, and neither "." nor ".." as a name.
    let directory = "\(root)/\(link.name)"
    let variables: [String]
    do throws(SystemError) {
      variables = try Self.variables(in: directory)
    } catch {
      if error.errorNumber != ENOENT { failed.insert(link.index) }
      note = "\(error.description): types and drivers are guessed by the kernel's messages alone"
      return nil
    }
    guard Self.value(of: "IFINDEX", in: variables) == String(link.index) else {
      note = "\(root) shows another network namespace: types and drivers are guessed by the kernel's messages alone"
      return nil
    }
    let driver = Files.linkTarget("\(directory)/device/driver") ?? Files.linkTarget("\(directory)/device/../driver")
    let isWireless = Files.exists("\(directory)/phy80211") || Files.exists("\(directory)/wireless")
    var facts = DeviceFacts(
      deviceType: Self.value(of: "DEVTYPE", in: variables), isWireless: isWireless,
      driver: driver?.split(separator: "/").last.map(String.init),
      isVirtual: !isWireless && !Files.exists("\(directory)/device"))
    if let driver = facts.driver, DeviceFacts.mayBePhone(driver: driver) {
      addSignsOfUSB("\(directory)/device", driver, to: &facts)
    }
    return facts
  }

  /// The lines of the `uevent` file in the directory.
  private static func variables(in directory: String) throws(SystemError) -> [String] {
    try Files.read("\(directory)/uevent", limit: 4_096).split(separator: UInt8(ascii: "\n"))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The value of a variable in the lines of a `uevent` file; `nil` when it has none.
  private static func value(of name: String, in variables: [String]) -> String? {
    let key = "\(name)=".utf8
    return variables.last { $0.utf8.starts(with: key) }.map { String(Substring($0.utf8.dropFirst(key.count))) }
  }

  /// Adds the signs of a phone or an LTE stick: the product of the USB device, and the functions beside the network.
  /// They are directories beside that of the network's function.
  private func addSignsOfUSB(_ function: String, _ driver: String, to facts: inout DeviceFacts) {
    let product = (try? Self.variables(in: function)).flatMap { Self.value(of: "PRODUCT", in: $0) }
    facts.stick = product.flatMap { DeviceFacts.MobileStick(product: $0) }
    let device = "\(function)/.."
    let names = (try? Files.entries(of: device, limit: 256)) ?? []
    for name in names.sorted() where name.contains(":") {
      let numbers = ["bInterfaceClass", "bInterfaceSubClass", "bInterfaceProtocol"].map { file in
        let contents = (try? Files.read("\(device)/\(name)/\(file)", limit: 16)) ?? []
        return String(decoding: contents.prefix { $0 > 0x20 }, as: UTF8.self)
      }
      facts.phoneFunction =
        facts.phoneFunction
        ?? DeviceFacts.PhoneFunction(
          interfaceClass: numbers[0], subclass: numbers[1], interfaceProtocol: numbers[2])
      facts.stick =
        facts.stick
        ?? DeviceFacts.MobileStick(
          driver: driver, interfaceClass: numbers[0], subclass: numbers[1], interfaceProtocol: numbers[2])
    }
  }
}
