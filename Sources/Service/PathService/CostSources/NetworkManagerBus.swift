internal import PathDecisions
internal import Systemd

/// NetworkManager on the system bus: its devices, their metered states and their connectivity.
final class NetworkManagerBus {
  private static let name = "org.freedesktop.NetworkManager"
  private static let root = "/org/freedesktop/NetworkManager"
  private static let device = "org.freedesktop.NetworkManager.Device"
  private static let properties = "org.freedesktop.DBus.Properties"

  /// The connection to the bus, which a loop watches.
  let bus: SystemBus
  private let handle: (NetworkManagerDevices.Event) -> Void
  private var managerReceiver: SystemBus.Receiver?
  private var listReceiver: SystemBus.Receiver?
  private var propertiesReceiver: SystemBus.Receiver?
  /// Whether it is known if connectivity is checked. The answer lists all devices, so it is not asked for with each.
  private var knowsChecking = false
  /// The device of each pending call, by the cookie of the call.
  private var asked: [UInt64: String] = [:]

  /// Connects and subscribes. ``SystemBus/process()`` calls the handler.
  init(_ handle: @escaping (NetworkManagerDevices.Event) -> Void) throws(SystemBus.BusError) {
    self.handle = handle
    bus = try SystemBus()
    managerReceiver = bus.receiver { [unowned self] message, _ in self.receiveManager(message) }
    listReceiver = bus.receiver { [unowned self] message, _ in self.receiveDevices(message) }
    propertiesReceiver = bus.receiver { [unowned self] message, cookie in self.receiveProperties(message, cookie) }
    let owner = bus.receiver { [unowned self] message, _ in self.receiveOwner(message) }
    let change = bus.receiver { [unowned self] message, _ in self.receiveChange(message) }
    let manager = bus.receiver { [unowned self] message, _ in
      if message.string() == Self.name { self.receiveManager(message) }
    }
    let addition = bus.receiver { [unowned self] message, _ in
      // An event without properties makes its receiver ask for them.
      if let path = message.objectPath() {
        self.handle(.properties(device: path, .init()))
      }
    }
    let removal = bus.receiver { [unowned self] message, _ in
      if let path = message.objectPath() { self.handle(.removed(device: path)) }
    }
    try bus.match(
      """
      type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',\
      arg0='\(Self.name)'
      """, owner)
    try bus.match(
      """
      type='signal',sender='\(Self.name)',path_namespace='\(Self.root)/Devices',interface='\(Self.properties)',\
      member='PropertiesChanged',arg0='\(Self.device)'
      """, change)
    try bus.match(
      """
      type='signal',sender='\(Self.name)',path='\(Self.root)',interface='\(Self.properties)',\
      member='PropertiesChanged',arg0='\(Self.name)'
      """, manager)
    for (member, receiver) in [("DeviceAdded", addition), ("DeviceRemoved", removal)] {
      try bus.match(
        "type='signal',sender='\(Self.name)',path='\(Self.root)',interface='\(Self.name)',member='\(member)'", receiver)
    }
  }

  // MARK: Asking

  /// Asks for the list of devices, and before that whether their connectivity is checked.
  func askForDevices() throws(SystemBus.BusError) {
    guard let listReceiver else { return }
    (asked, knowsChecking) = ([:], false)
    try askForChecking()
    _ = try bus.call(Self.name, Self.root, Self.name, "GetDevices", listReceiver)
  }

  private func askForChecking() throws(SystemBus.BusError) {
    guard let managerReceiver, !knowsChecking else { return }
    _ = try bus.call(Self.name, Self.root, Self.properties, "GetAll", managerReceiver, argument: Self.name)
  }

  /// Asks for the properties of a device. While NetworkManager starts, it has its name already and does not answer for
  /// itself. If it has a device, it does, so an earlier question is repeated here.
  func ask(device path: String) throws(SystemBus.BusError) {
    guard let propertiesReceiver else { return }
    try askForChecking()
    let cookie = try bus.call(Self.name, path, Self.properties, "GetAll", propertiesReceiver, argument: Self.device)
    asked[cookie] = path
  }

  // MARK: Answers and signals

  private func receiveManager(_ message: borrowing BusMessage) {
    if message.isError { return }
    var isChecking: Bool?
    message.properties { name in
      name == "ConnectivityCheckEnabled" && message.inside("v", "b") { isChecking = message.boolean() }
    }
    guard let isChecking else { return }
    knowsChecking = true
    handle(.checking(isChecking))
  }

  private func receiveDevices(_ message: borrowing BusMessage) {
    // The name has no owner: NetworkManager does not run, or a policy of the bus forbids the call.
    if message.isError { return handle(.vanished) }
    var paths: [String] = []
    message.inside("a", "o") {
      while let path = message.objectPath() { paths.append(path) }
    }
    handle(.devices(paths))
  }

  private func receiveProperties(_ message: borrowing BusMessage, _ cookie: UInt64) {
    guard let path = asked.removeValue(forKey: cookie) else { return }
    if message.isError { return handle(.unanswered(device: path)) }
    var properties = Self.deviceProperties(message)
    // An empty name says that the device has no interface yet: no interface has an empty name.
    properties.interface = properties.interface ?? ""
    handle(.properties(device: path, properties))
  }

  private func receiveChange(_ message: borrowing BusMessage) {
    guard let path = message.path, message.string() == Self.device else { return }
    let properties = Self.deviceProperties(message)
    if properties != .init() { handle(.properties(device: path, properties)) }
  }

  private func receiveOwner(_ message: borrowing BusMessage) {
    guard message.string() == Self.name, message.string() != nil, let owner = message.string() else { return }
    handle(owner.isEmpty ? .vanished : .appeared)
  }

  /// The properties of a device. Its interface is the one that carries its packets, not the control device of a modem.
  private static func deviceProperties(_ message: borrowing BusMessage) -> NetworkManagerDevices.Properties {
    var (control, data): (String?, String?) = (nil, nil)
    var properties = NetworkManagerDevices.Properties()
    message.properties { name in
      switch name {
      case "Interface": message.inside("v", "s") { control = message.string() }
      case "IpInterface": message.inside("v", "s") { data = message.string() }
      case "Metered": message.inside("v", "u") { properties.metered = message.number() }
      case "Ip4Connectivity": message.inside("v", "u") { properties.ipv4 = message.number() }
      case "Ip6Connectivity": message.inside("v", "u") { properties.ipv6 = message.number() }
      default: false
      }
    }
    properties.interface = data.flatMap { $0.isEmpty ? nil : $0 } ?? control
    return properties
  }
}
