internal import Dispatch
internal import PathModel
internal import SystemIO

/// The handler, the iterations and the observers.
extension MonitorCore {
  /// Begins to call the handler.
  ///
  /// - Parameters:
  ///   - queue: The queue that the handler is called on.
  ///   - owner: An object that is kept alive until ``cancel(endingIterations:patience:)``. It must not be released
  ///     under the lock.
  func start(queue: DispatchQueue, keeping owner: (any AnyObject & Sendable)? = nil) {
    change { state in
      guard state.run == nil else { return }
      let run = HandlerRun(queue, owner: owner, turn: turn) { [weak self] in self?.handler }
      state.run = run
      if let first = state.first() { state.offer(first, to: run) }
    }
    follow()
  }

  /// The queue that the handler is called on; `nil` while the monitor is not started.
  var queue: DispatchQueue? { state.withLock { $0.run?.queue } }

  /// Ends the handler's calls and, by default, all iterations.
  ///
  /// - Parameters:
  ///   - endingIterations: Whether iterations end, too.
  ///   - patience: How long to wait for a call of the handler that is under way. The handler may itself wait for
  ///     the caller.
  func cancel(endingIterations: Bool = true, patience: DispatchTimeInterval = .seconds(1)) {
    // The ended receivers and the owner of the run are released outside the lock.
    let ended = change { state in
      let ended = (run: state.run, iterations: endingIterations ? state.iterations : [:])
      state.run = nil
      if endingIterations { state.iterations = [:] }
      // Under the lock: if two threads cancel at once, the one that finds nothing must not return before the end of the
      // run.
      ended.run?.end()
      for iteration in ended.iterations.values where iteration.close() { state.due.add(iteration) }
      return ended
    }
    turn.wait(patience)
    unsubscribeIfUnwanted()
    withExtendedLifetime(ended) {}
  }

  /// Ends everything when the monitor ends. The objects that the handler has captured are released here, and not with
  /// the last reference to this core, which the source may hold for a moment under a lock.
  func release() {
    cancel()
    handler = nil
    let observations = state.exchange(\.observations, for: [:])
    for observation in observations.values {
      observation.end()
      observation.whenReleased()
    }
    unsubscribeIfUnwanted()
  }

  /// Delivers each path to an iteration, from the present one on.
  ///
  /// - Returns: The number of the subscription, for ``unsubscribe(_:)``.
  func subscribe(_ iteration: some ClosableReceiver) -> Int {
    let number = change { state in
      let number = state.register(iteration)
      state.iterations[number] = iteration
      return number
    }
    follow()
    return number
  }

  /// Ends the subscription of an iteration.
  func unsubscribe(_ number: Int) {
    let ended = state.withLock { $0.iterations.removeValue(forKey: number) }
    if ended != nil { unsubscribeIfUnwanted() }
  }

  /// Calls the observer with each path, in order.
  ///
  /// - Returns: A closure that ends the observation.
  func observe(
    _ observer: @escaping @Sendable (NetworkPath) -> Void, whenReleased: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let observation = PathObservation(observer, whenReleased: whenReleased)
    let number = change { state in
      let number = state.register(observation)
      state.observations[number] = observation
      return number
    }
    follow()
    return { [weak self] in
      observation.end()
      let ended = self?.state.withLock { $0.observations.removeValue(forKey: number) }
      if ended != nil { self?.unsubscribeIfUnwanted() }
    }
  }
}
