package import PathModel

/// The devices of NetworkManager, as far as its messages have described them, and the next questions to it.
///
/// Questions fill in for missed messages, such as signals before the first answer: a signal of an unknown device leads
/// to a question, not to a guess.
package struct NetworkManagerDevices: Hashable, Sendable {
  /// A message from NetworkManager, or from the bus about it.
  package enum Event: Hashable, Sendable {
    /// It runs, or has started again.
    case appeared
    /// It does not run.
    case vanished
    /// Whether it checks connectivity, `ConnectivityCheckEnabled`.
    case checking(Bool)
    /// These are its devices, by their object paths.
    case devices([String])
    /// Properties of a device.
    case properties(device: String, Properties)
    /// A device did not answer: most likely it is gone again.
    case unanswered(device: String)
    /// A device is gone.
    case removed(device: String)
  }

  /// Properties of a device; `nil` for those that a message lacks.
  package struct Properties: Hashable, Sendable {
    /// The name of the interface that carries its packets.
    package var interface: String?
    /// Its metered state, `Metered`.
    package var metered: UInt32?
    /// Its connectivity by IPv4, `Ip4Connectivity`.
    package var ipv4: UInt32?
    /// Its connectivity by IPv6, `Ip6Connectivity`.
    package var ipv6: UInt32?

    /// Properties as given.
    package init(interface: String? = nil, metered: UInt32? = nil, ipv4: UInt32? = nil, ipv6: UInt32? = nil) {
      (self.interface, self.metered, self.ipv4, self.ipv6) = (interface, metered, ipv4, ipv6)
    }
  }

  /// A question to NetworkManager.
  package enum Question: Hashable, Sendable {
    /// The list of its devices.
    case devices
    /// The properties of a device.
    case properties(device: String)
  }

  private struct Device: Hashable {
    var interface: ExactText?
    var metered: MeteredState = .unknown
    var connectivity = DeviceConnectivity()
    var isAsked = false
  }

  /// The most devices that are followed; ``leavesOut`` says whether there are more.
  package static let limit = 4_096

  /// Whether NetworkManager has more devices than are followed, as far as they have been named since its last list.
  package private(set) var leavesOut = false

  private var devices: [String: Device] = [:]
  private var isListing = true
  /// Whether it asks a host. If not, it calls every device with a route connected to the Internet.
  private var isChecking = false

  /// No device is known yet; NetworkManager has to be asked for its devices.
  package init() {}

  /// Whether all questions have been answered.
  package var isAnswered: Bool { !isListing && !devices.values.contains { $0.isAsked } }

  /// The metered states of interfaces, by their names.
  package var states: [ExactText: MeteredState] {
    var states: [ExactText: MeteredState] = [:]
    for device in devices.values {
      guard let interface = device.interface, device.metered != .unknown else { continue }
      // While an interface is handed over, two devices have it for a moment: the costlier state wins.
      if let other = states[interface], other == .yes || device.metered == .no { continue }
      states[interface] = device.metered
    }
    return states
  }

  /// The connectivity of interfaces, by their names: none if it is not checked. Unknown ones are left out, and so are
  /// those of two devices that have the same interface for a moment.
  package var connectivity: [ExactText: DeviceConnectivity] {
    guard isChecking else { return [:] }
    var verdicts: [ExactText: DeviceConnectivity] = [:]
    for device in devices.values {
      guard let interface = device.interface, device.connectivity != DeviceConnectivity() else { continue }
      let former = verdicts[interface] ?? device.connectivity
      verdicts[interface] = former == device.connectivity ? former : DeviceConnectivity()
    }
    return verdicts.filter { $0.value != DeviceConnectivity() }
  }

  /// Applies an event, and returns the questions that follow from it.
  package mutating func apply(_ event: Event) -> [Question] {
    switch event {
    case .appeared:
      devices = [:]
      (isListing, isChecking) = (true, false)
      return [.devices]
    case .vanished:
      devices = [:]
      isListing = false
      return []
    case .checking(let isChecking):
      self.isChecking = isChecking
      return []
    case .devices(let paths):
      isListing = false
      leavesOut = paths.count > Self.limit
      let known = Set(paths.prefix(Self.limit))
      devices = devices.filter { known.contains($0.key) }
      return known.sorted().flatMap { ask($0) }
    case .properties(let path, let properties):
      return merge(path, properties)
    case .unanswered(let path), .removed(let path):
      devices[path] = nil
      return []
    }
  }

  private mutating func ask(_ path: String) -> [Question] {
    if devices[path]?.isAsked == true { return [] }
    guard devices[path] != nil || devices.count < Self.limit else {
      leavesOut = true
      return []
    }
    devices[path, default: Device()].isAsked = true
    return [.properties(device: path)]
  }

  private mutating func merge(_ path: String, _ properties: Properties) -> [Question] {
    let interface = properties.interface
    // Properties alone do not name their interface.
    guard var device = devices[path], interface != nil || device.interface != nil || device.isAsked else {
      return ask(path)
    }
    if let interface {
      device.interface = InterfaceName.problem(with: interface) == nil ? interface.exact : nil
      device.isAsked = false
    }
    if let metered = properties.metered { device.metered = MeteredState(rawValue: metered) ?? .unknown }
    if let verdict = properties.ipv4 { device.connectivity.ipv4 = ConnectivityState(rawValue: verdict) ?? .unknown }
    if let verdict = properties.ipv6 { device.connectivity.ipv6 = ConnectivityState(rawValue: verdict) ?? .unknown }
    devices[path] = device
    return []
  }
}
