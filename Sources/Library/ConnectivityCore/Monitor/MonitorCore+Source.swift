internal import PathModel
internal import SystemIO

/// The subscription to the source, while there is a receiver.
extension MonitorCore {
  /// Subscribes to the source for the first receiver.
  func follow() {
    guard let generation = state.withLock({ $0.beginFollowing() }) else { return }
    // Not under the lock: a source may deliver before it returns.
    let unsubscribe = provider.subscribe { [weak self] in self?.deliver($0, generation) ?? Deliveries() }
    let isVoid = state.withLock { state in
      guard state.isFollowing, state.generation == generation else { return true }
      state.unsubscribe = unsubscribe
      return false
    }
    if isVoid { unsubscribe() }
  }

  /// Unsubscribes from the source when the last receiver is gone.
  func unsubscribeIfUnwanted() {
    let unsubscribe = state.withLock { $0.endFollowing() }
    unsubscribe?()
  }

  /// Handles an update of the source. The source delivers one update at a time, so all receivers get them in its order.
  ///
  /// - Returns: The receivers to be woken once no lock is held.
  private func deliver(_ update: SourceUpdate, _ generation: Int) -> Deliveries {
    state.withLock { state in
      guard state.generation == generation, let next = state.store(update, view) else { return Deliveries() }
      state.deliver(next)
      return state.removeDue()
    }
  }
}
