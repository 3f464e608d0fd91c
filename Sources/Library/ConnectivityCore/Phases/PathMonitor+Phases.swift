extension PathMonitor {
  /// The phases of the path, each shown at least for its time.
  ///
  /// If the path is already known, and `times` lets ``ConnectivityPhase/checking`` give way at once, the sequence
  /// begins with the phase of the path: a page that is opened later does not flash. Otherwise it begins with
  /// ``ConnectivityPhase/checking``. A slow reader gets the newest phase and skips those between.
  ///
  /// - Parameters:
  ///   - times: The minimum time for which each phase is shown.
  ///   - clock: The clock that measures the time.
  /// - Returns: A sequence for one iteration, which ends with ``cancel()`` and with the task.
  public func phases<C: Clock>(
    times: PhaseTimes = .standard, clock: C = ContinuousClock()
  ) -> AsyncStream<ConnectivityPhase> where C.Duration == Duration {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ConnectivityPhase.self, bufferingPolicy: .bufferingNewest(1))
    let paths = TimedPaths(self, clock: clock)
    let (start, path) = (clock.now, currentPath)
    var initial = PhaseDisplay(times, at: start)
    if path.knowledge == .known { _ = initial.observe(ConnectivityPhase(path), at: start) }
    continuation.yield(initial.shown)
    let task = Task { [initial] in
      defer { paths.stop() }
      var display = initial
      while let event = await paths.next() {
        let action =
          switch event {
          case .path(let path): display.observe(ConnectivityPhase(path), at: clock.now)
          case .time: display.timerFired(at: clock.now)
          }
        switch action {
        case .none: paths.setTimer(nil)
        case .wake(let moment): paths.setTimer(moment)
        case .show(let phase):
          paths.setTimer(nil)
          continuation.yield(phase)
        }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}
