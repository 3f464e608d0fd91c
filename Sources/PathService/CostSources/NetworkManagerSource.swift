internal import PathModel
internal import SystemIO
internal import Systemd

/// What NetworkManager says of the cost of its devices, as it changes. It may be absent, come later, or restart, and so
/// may the bus: nothing is asked again and again, and whatever is missing is unknown.
final class NetworkManagerSource {
  private let loop: EventLoop
  private let tell: ([String: MeteredState]) -> Void
  private var connection: NetworkManagerBus?
  private var devices = NetworkManagerDevices()
  /// The descriptor of the connection, as long as the loop watches it.
  private var watched: Int32?
  private var watchedFor: EventLoop.Readiness = []
  private var deadlineTimer: EventLoop.Timer?
  private var retryTimer: EventLoop.Timer?
  private var retries = Retries()
  /// Tells when the socket of the bus appears.
  private var socketWatch: FileChangeWatch?
  /// What has gone wrong while a message was handled; `nil` when nothing has.
  private var failure: SystemBus.BusError?
  /// Why nothing is known; `nil` when the bus is there.
  private(set) var note: String?

  /// How long to wait before the bus is tried again though its socket is there: ever longer, until it has worked.
  private struct Retries {
    private var count = 0

    mutating func next() -> Duration {
      defer { count += 1 }
      return .seconds(min(300, 1 << min(count, 9)))
    }

    mutating func succeeded() { count = 0 }
  }

  /// Connects, and calls `tell` whenever what is said is another than before.
  init(loop: EventLoop, _ tell: @escaping ([String: MeteredState]) -> Void) {
    self.loop = loop
    self.tell = tell
    deadlineTimer = loop.makeTimer { [unowned self] in self.process() }
    retryTimer = loop.makeTimer { [unowned self] in self.connect() }
    connect()
  }

  /// Lets go of the loop and the bus.
  func stop() {
    disconnect()
    if let socketWatch { loop.unwatch(socketWatch.number) }
    socketWatch = nil
    for timer in [deadlineTimer, retryTimer].compactMap(\.self) { loop.remove(timer) }
  }

  /// Whether everything that can be known is known, or nothing can.
  var isSettled: Bool { connection == nil || devices.isAnswered }

  // MARK: The connection

  private func connect() {
    if connection != nil { return }
    devices = NetworkManagerDevices()
    failure = nil
    do throws(SystemBus.BusError) {
      let connection = try NetworkManagerBus { [unowned self] event in self.take(event) }
      self.connection = connection
      try connection.askForDevices()
      note = nil
      _ = socketWatch?.watch(WatchedPlaces())
      watchConnection()
    } catch {
      lose(error)
    }
  }

  /// The connection is over, or could not be made.
  private func lose(_ error: SystemBus.BusError) {
    note = "NetworkManager is not asked what connections cost: \(error.description)"
    disconnect()
    devices = NetworkManagerDevices()
    tell([:])
    // When there is no bus, its socket is waited for; when there is one, a while.
    if !waitForSocket() { retryTimer?.set(.now.advanced(by: retries.next())) }
  }

  private func disconnect() {
    if let watched { loop.unwatch(watched) }
    (watched, watchedFor) = (nil, [])
    deadlineTimer?.set(nil)
    retryTimer?.set(nil)
    connection = nil
  }

  /// Watches for the socket of the bus. Returns whether it is missing, so that it makes sense.
  private func waitForSocket() -> Bool {
    guard let path = Self.socketPath else { return false }
    if socketWatch == nil, let watch = try? FileChangeWatch() {
      guard (try? loop.watch(watch.number, { [unowned self] _ in self.socketChanged() })) != nil else { return false }
      socketWatch = watch
    }
    guard let socketWatch else { return false }
    socketWatch.follow { WatchedPlaces(comingOf: path) }
    return !Files.isSocket(path)
  }

  private func socketChanged() {
    guard socketWatch?.drain() == true, connection == nil else { return }
    // The directory may have come, and the socket comes next; or it is another one now.
    if waitForSocket() { return }
    retries.succeeded()
    connect()
  }

  /// Where the bus listens, as libsystemd has it; `nil` when that is no file.
  private static var socketPath: String? {
    guard let address = Environment.value("DBUS_SYSTEM_BUS_ADDRESS") else { return "/run/dbus/system_bus_socket" }
    let prefix = "unix:path="
    guard address.hasPrefix(prefix) else { return nil }
    return String(address.dropFirst(prefix.count).prefix { $0 != "," && $0 != ";" })
  }

  // MARK: The loop

  private func process() {
    guard let connection else { return }
    do throws(SystemBus.BusError) {
      try connection.bus.process()
      if let failure { throw failure }
      watchConnection()
    } catch {
      lose(error)
    }
  }

  /// Watches what the connection waits for now.
  private func watchConnection() {
    guard let bus = connection?.bus else { return }
    let readiness = EventLoop.Readiness(rawValue: bus.readiness)
    if watched == nil {
      let descriptor = bus.descriptor
      guard (try? loop.watch(descriptor, for: readiness, { [unowned self] _ in self.process() })) != nil else { return }
      watched = descriptor
    } else if let watched, readiness != watchedFor {
      try? loop.rewatch(watched, for: readiness)
    }
    watchedFor = readiness
    // Moments that are further away than the clock counts are never.
    let deadline = bus.deadline.flatMap { $0 < UInt64(Int64.max) / 1_000 ? Int64($0) * 1_000 : nil }
    deadlineTimer?.set(deadline.map { MonotonicInstant(nanoseconds: $0) })
  }

  // MARK: Events

  private func take(_ event: NetworkManagerBus.Event) {
    retries.succeeded()
    var questions = devices.take(event.inTheModel)
    while let question = questions.popLast() {
      do throws(SystemBus.BusError) {
        switch question {
        case .devices: try connection?.askForDevices()
        case .properties(let device): try connection?.ask(device: device)
        }
      } catch {
        // The connection must not be let go of while one of its messages is handled.
        failure = error
      }
    }
    if devices.isAnswered { tell(devices.states) }
  }
}

extension NetworkManagerBus.Event {
  /// The event as the decisions know it.
  fileprivate var inTheModel: NetworkManagerDevices.Event {
    switch self {
    case .appeared: .appeared
    case .vanished: .vanished
    case .devices(let paths): .devices(paths)
    case .properties(let device, let interface, let metered):
      .properties(device: device, interface: interface, metered: metered)
    case .unanswered(let device): .unanswered(device: device)
    case .removed(let device): .removed(device: device)
    }
  }
}
