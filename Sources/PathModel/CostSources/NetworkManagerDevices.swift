/// The devices of NetworkManager as far as its messages have told of them, and what has to be asked next.
///
/// Whatever was missed, such as signals before the first answer, is asked for: a signal of a device that is not known
/// leads to a question, not to a guess.
package struct NetworkManagerDevices: Hashable, Sendable {
  /// What NetworkManager has said, or the bus about it.
  package enum Event: Hashable, Sendable {
    /// It runs, from now on or anew.
    case appeared
    /// It does not run.
    case vanished
    /// These are its devices, by their object paths.
    case devices([String])
    /// Properties of a device: the name of the interface that carries its packets, and its metered state, as far as
    /// they were told.
    case properties(device: String, interface: String?, metered: UInt32?)
    /// A device could not be asked: most likely it is gone again.
    case unanswered(device: String)
    /// A device is gone.
    case removed(device: String)
  }

  /// What is to be asked.
  package enum Question: Hashable, Sendable {
    /// Which devices there are.
    case devices
    /// The properties of a device.
    case properties(device: String)
  }

  private struct Device: Hashable {
    var interface: String?
    var metered: MeteredState = .unknown
    var isAsked = false
  }

  /// More devices than this are not looked at.
  package static let limit = 4_096

  private var devices: [String: Device] = [:]
  private var isListing = true

  /// Nothing is known yet; the devices have to be asked for.
  package init() {}

  /// Whether all that was asked has been answered.
  package var isAnswered: Bool { !isListing && !devices.values.contains { $0.isAsked } }

  /// What is said of interfaces, by their names.
  package var states: [String: MeteredState] {
    var states: [String: MeteredState] = [:]
    for device in devices.values {
      guard let interface = device.interface, device.metered != .unknown else { continue }
      // Two devices of one interface are seen for a moment while it is handed over: what costs more counts.
      if let other = states[interface], other == .yes || device.metered == .no { continue }
      states[interface] = device.metered
    }
    return states
  }

  /// Takes note of an event, and returns what is to be asked because of it.
  package mutating func take(_ event: Event) -> [Question] {
    switch event {
    case .appeared:
      devices = [:]
      isListing = true
      return [.devices]
    case .vanished:
      devices = [:]
      isListing = false
      return []
    case .devices(let paths):
      isListing = false
      let known = Set(paths.prefix(Self.limit))
      devices = devices.filter { known.contains($0.key) }
      return known.sorted().flatMap { ask($0) }
    case .properties(let path, let interface, let metered):
      return merge(path, interface, metered)
    case .unanswered(let path), .removed(let path):
      devices[path] = nil
      return []
    }
  }

  private mutating func ask(_ path: String) -> [Question] {
    guard devices[path]?.isAsked != true, devices[path] != nil || devices.count < Self.limit else { return [] }
    devices[path, default: Device()].isAsked = true
    return [.properties(device: path)]
  }

  private mutating func merge(_ path: String, _ interface: String?, _ metered: UInt32?) -> [Question] {
    // Properties alone do not tell which interface they are of.
    guard var device = devices[path], interface != nil || device.interface != nil || device.isAsked else {
      return ask(path)
    }
    if let interface {
      device.interface = InterfaceName.problem(with: interface) == nil ? interface : nil
      device.isAsked = false
    }
    if let metered { device.metered = MeteredState(rawValue: metered) ?? .unknown }
    devices[path] = device
    return []
  }
}
