internal import ConnectivityCore
internal import Dispatch
internal import Foundation
internal import PathModel
internal import SystemIO

/// Posts each change of the path once for the whole process, even if several monitors are asked to post.
///
/// One of these monitors posts: the shared one, or else the first that shows the whole path, or else the first. When it
/// is released or no longer asked to post, the next one takes its place and posts the changes that still wait. The
/// poster has a queue of its own: a slow observer delays other observers, and nothing else.
final class NotificationPoster: Sendable {
  static let shared = NotificationPoster()

  /// The number of changes that may wait for slow observers. Beyond that, the oldest are skipped.
  static let longestQueue = 64

  fileprivate struct Entry {
    /// 0 for the shared monitor, 1 for one that shows the whole path, 2 for the others.
    var rank: Int
    /// The turn among the monitors of the same rank. The number also distinguishes a monitor from an earlier one at the
    /// same address.
    var number: Int
    weak var monitor: PathMonitor?
    /// Ends the observation.
    var end: (@Sendable () -> Void)?
  }

  fileprivate struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    var nextNumber = 0
    /// The newest path that was posted or waits to be.
    var newest: NetworkPath?
    var waiting: [(path: NetworkPath, monitor: ObjectIdentifier)] = []
    var isScheduled = false

    /// The entry of the monitor that posts. It is copied with its weak reference, which must not be followed here.
    var poster: (key: ObjectIdentifier, value: Entry)? { entries.min { $0.value.turn < $1.value.turn } }

    /// The monitor in whose name the path of a monitor is posted; `nil` when no monitor posts any more.
    ///
    /// A monitor that is being released is still among the entries. The others are read one by one: only the returned
    /// monitor is retained here, because another one might end under the lock.
    func name(for identifier: ObjectIdentifier) -> PathMonitor? {
      if let monitor = entries[identifier]?.monitor { return monitor }
      for entry in entries.values.sorted(by: { $0.turn < $1.turn }) {
        if let monitor = entry.monitor { return monitor }
      }
      return nil
    }
  }

  private let state = Guarded(State())
  private let queue = DispatchQueue(label: "io.pathmonitor.notifications")

  func contains(_ monitor: PathMonitor) -> Bool {
    state.withLock { $0.entries[ObjectIdentifier(monitor)] != nil }
  }

  func add(_ monitor: PathMonitor) {
    let rank = monitor === PathMonitor.shared ? 0 : monitor.showsWholePath ? 1 : 2
    let number: Int? = state.withLock { state in
      guard state.entries[ObjectIdentifier(monitor)] == nil else { return nil }
      state.nextNumber += 1
      state.entries[ObjectIdentifier(monitor)] = Entry(rank: rank, number: state.nextNumber, monitor: monitor)
      return state.nextNumber
    }
    if let number { observe(monitor, number) }
  }

  func remove(_ monitor: PathMonitor) {
    remove(ObjectIdentifier(monitor), number: nil)
  }

  /// Begins to observe a monitor, which delivers its newest path at once.
  private func observe(_ monitor: PathMonitor, _ number: Int) {
    let identifier = ObjectIdentifier(monitor)
    let end = monitor.observe { [weak self] in
      self?.enqueue($0, from: identifier, number)
    } whenReleased: { [weak self] in
      self?.remove(identifier, number: number)
    }
    let former: (@Sendable () -> Void)? = state.withLock { state in
      guard state.entries[identifier]?.number == number else { return end }
      defer { state.entries[identifier]?.end = end }
      return state.entries[identifier]?.end
    }
    former?()
  }

  private func remove(_ identifier: ObjectIdentifier, number: Int?) {
    let (end, successor): ((@Sendable () -> Void)?, Entry?) = state.withLock { state in
      guard let entry = state.entries[identifier], number ?? entry.number == entry.number else { return (nil, nil) }
      let wasPoster = state.poster?.key == identifier
      state.entries[identifier] = nil
      // The next monitor that posts begins without old paths.
      if state.entries.isEmpty { (state.newest, state.waiting) = (nil, []) }
      return (entry.end, wasPoster ? state.poster?.value : nil)
    }
    end?()
    // The successor may know a newer path.
    if let successor, let monitor = successor.monitor { observe(monitor, successor.number) }
  }

  /// Stores a path of a monitor, to be posted. No monitor is retained here, because it might end with this reference.
  private func enqueue(_ path: NetworkPath, from monitor: ObjectIdentifier, _ number: Int) {
    let isNew = state.withLock { state in
      guard state.poster?.value.number == number, path != state.newest, path.knowledge != .unknown else { return false }
      state.newest = path
      state.waiting.append((path, monitor))
      if state.waiting.count > Self.longestQueue { state.waiting.removeFirst() }
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isNew { queue.async { self.post() } }
  }

  private func post() {
    while true {
      let next: (path: NetworkPath, monitor: PathMonitor?)? = state.withLock { state in
        guard !state.waiting.isEmpty else {
          state.isScheduled = false
          return nil
        }
        let (path, identifier) = state.waiting.removeFirst()
        return (path, state.name(for: identifier))
      }
      guard let next else { return }
      guard let monitor = next.monitor else { continue }
      ForeignCode.run {
        NotificationCenter.default.post(
          name: .connectivityStatus, object: monitor, userInfo: [Notification.networkPathKey: next.path])
        NotificationCenter.default.post(PathMonitor.PathDidChange(path: next.path), subject: monitor)
      }
      Task { @MainActor in
        NotificationCenter.default.post(PathMonitor.PathDidChangeOnMain(path: next.path), subject: monitor)
      }
    }
  }
}

extension NotificationPoster.Entry {
  /// The entry with the lowest turn posts.
  fileprivate var turn: (Int, Int) { (rank, number) }
}
