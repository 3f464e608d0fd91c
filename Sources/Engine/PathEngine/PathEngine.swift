package import KernelPath
internal import PathDecisions
package import PathModel
package import SystemIO

/// The one loop behind everything: drain events, evaluate once, settle, publish.
///
/// The engine belongs to the thread of its event loop. It publishes values: an event that does not change the path
/// publishes nothing. ``EngineSchedule`` decides when to evaluate, and the engine performs. `Turn.swift` has a turn of
/// the loop from the messages to the streams, and `Timers.swift` every timer.
package final class PathEngine {
  /// The questions to the kernel, and its latest answers.
  package private(set) var reader: PathReader
  /// The counts since the start.
  package internal(set) var counters = Counters()
  /// Called after overrides have expired.
  package var whenOverridesExpired: (() -> Void)?
  /// Called with our own path, which need not have settled, whenever any path may have changed.
  package var whenObserved: ((NetworkPath) -> Void)?

  /// Counts of events since the start.
  package struct Counters: Hashable, Sendable {
    /// The number of messages from the kernel.
    package var events = 0
    /// The number of overruns of the event socket.
    package var overruns = 0
  }

  let loop: EventLoop
  let streams: StreamTable
  var schedule: EngineSchedule
  private(set) lazy var timers = EngineTimers(of: self)
  private let clockWatch: ClockChangeWatch
  private var asleep = timeAsleep()
  /// The shortest sleep in which the machine may have come to another network without the loss of a link.
  private static let longSleep = Duration.seconds(10)

  /// Subscribes to the kernel's messages and evaluates for the first time. From then on the loop calls the engine for
  /// each event, until ``stop()``.
  ///
  /// - Throws: ``KernelPathError`` when the kernel cannot be asked at all.
  package init(
    loop: EventLoop, configuration: PathReader.Configuration = PathReader.Configuration()
  ) throws(KernelPathError) {
    self.loop = loop
    let start = MonotonicInstant.now
    reader = try PathReader(configuration, isFollowing: true)
    clockWatch = try KernelPathError.translating { () throws(SystemError) in try ClockChangeWatch() }
    streams = StreamTable(loop: loop)
    let end = MonotonicInstant.now
    schedule = EngineSchedule(evaluatedFrom: start, to: end)
    try KernelPathError.translating { () throws(SystemError) in
      try watchKernel()
      try loop.watch(clockWatch.number) { [unowned self] _ in self.clockChanged() }
    }
    scheduleLooks(at: end)
  }

  /// Removes the engine's timers and watches from the loop. Call it before the engine is released.
  package func stop() {
    unwatchKernel()
    loop.unwatch(clockWatch.number)
    timers.remove(from: loop)
    streams.stop()
  }

  /// Replaces the configuration. All subscriptions stay.
  ///
  /// - Throws: ``KernelPathError`` when the kernel cannot be asked; then nothing has changed.
  package func reconfigure(_ configuration: PathReader.Configuration) throws(KernelPathError) {
    let successor = try PathReader(configuration, isFollowing: true)
    successor.takeOver(from: reader)
    unwatchKernel()
    reader = successor
    schedule.resumed()
    try KernelPathError.translating { () throws(SystemError) in try watchKernel() }
    // The successor follows no class of users yet.
    streams.classes = nil
    evaluate()
    // The first path of the successor may differ from the last one of its predecessor.
    publish(at: .now)
  }

  private func unwatchKernel() {
    if let events = reader.kernel.eventDescriptor { loop.unwatch(events) }
    unwatchFiles()
  }

  private func watchKernel() throws(SystemError) {
    try watchMessages()
    try watchFiles()
  }

  func watchMessages() throws(SystemError) {
    guard let events = reader.kernel.eventDescriptor else { return }
    try loop.watch(events) { [unowned self] _ in self.messagesArrived() }
  }

  /// Asks the kernel again after a clock change: the machine may have slept, and no earlier answer is certain.
  private func clockChanged() {
    try? clockWatch.acknowledge()
    let asleep = timeAsleep()
    if asleep - self.asleep >= Self.longSleep { reader.kernel.noteSleep() }
    self.asleep = asleep
    endExpiredOverrides()
    evaluate()
  }
}
