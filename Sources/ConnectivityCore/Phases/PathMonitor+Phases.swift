extension PathMonitor {
  /// The phases of the path, beginning with ``ConnectivityPhase/checking``, each shown at least for its time.
  ///
  /// - Parameters:
  ///   - times: How long each is shown at least.
  ///   - clock: What the time is measured by.
  /// - Returns: A sequence for one iteration, which ends with ``cancel()`` and with the task.
  public func phases<C: Clock>(
    times: PhaseTimes = .standard, clock: C = ContinuousClock()
  ) -> AsyncStream<ConnectivityPhase> where C.Duration == Duration {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ConnectivityPhase.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield(.checking)
    let task = Task {
      let paths = TimedPaths(self, clock: clock)
      defer { paths.stop() }
      var display = PhaseDisplay(times, at: clock.now)
      for await event in paths.events {
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
