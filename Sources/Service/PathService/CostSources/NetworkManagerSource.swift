internal import PathDecisions
internal import SystemIO
internal import Systemd

/// The metered states and the connectivity of NetworkManager's devices, as they change. NetworkManager may be absent,
/// appear later or restart, and so may the bus. Signals report this, so nothing is polled, and missing facts are
/// unknown.
final class NetworkManagerSource {
  private let loop: EventLoop
  private let report: (NetworkManagerDevices) -> Void
  private var connection: NetworkManagerBus?
  private var devices = NetworkManagerDevices()
  /// The descriptor of the connection, as long as the loop watches it.
  private var watched: Int32?
  private var watchedFor: EventLoop.Readiness = []
  private var deadlineTimer: EventLoop.Timer?
  private var retryTimer: EventLoop.Timer?
  /// The pauses before the next attempt at a bus whose socket exists.
  private var pauses = RetryPauses(longest: .seconds(300))
  /// Reports the appearance of the bus's socket.
  private var socketWatch: FileChangeWatch?
  /// The failure while a message was handled; `nil` when there was none.
  private var failure: SystemBus.BusError?
  /// The reason why no costs are known, or not those of all devices; `nil` when there is none.
  private(set) var note: String?

  /// Connects, and calls `report` with the devices when NetworkManager has answered or is lost.
  init(loop: EventLoop, _ report: @escaping (NetworkManagerDevices) -> Void) {
    self.loop = loop
    self.report = report
    deadlineTimer = loop.makeTimer { [unowned self] in self.process() }
    retryTimer = loop.makeTimer { [unowned self] in self.connect() }
    connect()
  }

  /// Closes the connection to the bus and removes its watches and timers from the loop.
  func stop() {
    disconnect()
    if let socketWatch { loop.unwatch(socketWatch.number) }
    socketWatch = nil
    for timer in [deadlineTimer, retryTimer].compactMap(\.self) { loop.remove(timer) }
  }

  /// Whether all answers have arrived, or none can arrive.
  var isSettled: Bool { connection == nil || devices.isAnswered }

  // MARK: The connection

  private func connect() {
    if connection != nil { return }
    devices = NetworkManagerDevices()
    failure = nil
    do throws(SystemBus.BusError) {
      let connection = try NetworkManagerBus { [unowned self] event in self.handle(event) }
      self.connection = connection
      try connection.askForDevices()
      note = nil
      _ = socketWatch?.watch(WatchedPlaces())
      watchConnection()
    } catch {
      lose(error)
    }
  }

  /// Handles a connection that has failed or could not be made.
  private func lose(_ error: SystemBus.BusError) {
    note = "NetworkManager is not asked what connections cost: \(error.description)"
    disconnect()
    devices = NetworkManagerDevices()
    report(devices)
    // Without a bus, wait for its socket; with one, retry after a pause.
    if !waitForSocket() { retryTimer?.set(.now.advanced(by: pauses.next())) }
  }

  private func disconnect() {
    if let watched { loop.unwatch(watched) }
    (watched, watchedFor) = (nil, [])
    deadlineTimer?.set(nil)
    retryTimer?.set(nil)
    connection = nil
  }

  /// Watches for the socket of the bus. Returns whether the socket is missing and its appearance is reported, so that
  /// waiting for it makes sense.
  private func waitForSocket() -> Bool {
    guard let path = Self.socketPath else { return false }
    if socketWatch == nil, let watch = try? FileChangeWatch() {
      guard (try? loop.watch(watch.number, { [unowned self] _ in self.socketChanged() })) != nil else { return false }
      socketWatch = watch
    }
    guard let socketWatch else { return false }
    socketWatch.follow { WatchedPlaces(comingOf: path) }
    return socketWatch.failure == nil && !Files.isSocket(path)
  }

  private func socketChanged() {
    guard socketWatch?.drain() == true, connection == nil else { return }
    // Perhaps only the directory has appeared, and the socket follows; or a new socket has replaced the old one.
    if waitForSocket() { return }
    pauses.reset()
    connect()
  }

  /// The path of the bus's socket, as libsystemd determines it; `nil` when the address names no file.
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

  /// Watches the descriptor for the readiness that the connection needs now.
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
    // A deadline beyond the range of the clock never arrives.
    let deadline = bus.deadline.flatMap { $0 < UInt64(Int64.max) / 1_000 ? Int64($0) * 1_000 : nil }
    deadlineTimer?.set(deadline.map { MonotonicInstant(nanoseconds: $0) })
  }

  // MARK: Events

  private func handle(_ event: NetworkManagerDevices.Event) {
    pauses.reset()
    var questions = devices.apply(event)
    while let question = questions.popLast() {
      do throws(SystemBus.BusError) {
        switch question {
        case .devices: try connection?.askForDevices()
        case .properties(let device): try connection?.ask(device: device)
        }
      } catch {
        // The connection must stay alive while it handles a message. `process()` throws the failure afterwards.
        failure = error
      }
    }
    let most = NetworkManagerDevices.limit
    note = devices.leavesOut ? "NetworkManager has more than \(most) devices, and the others are not asked for" : nil
    if devices.isAnswered { report(devices) }
  }
}
