public import ConnectivityCore
internal import Dispatch

extension PathMonitor {
  /// Begins to post notifications at each change of the path, and does so as long as the monitor lives.
  ///
  /// Meant for the shared one: `PathMonitor.shared.start()` once, when the program begins.
  public func start() { postsNotifications = true }

  /// Whether changes of this monitor's path are posted to `NotificationCenter.default`: as `connectivityStatus`, and
  /// as the messages `pathDidChange` and `pathDidChangeOnMain`.
  ///
  /// A monitor that posts follows the path without being started, and posts the first path too. Each change is posted
  /// once, however many monitors of the process do so: by `PathMonitor.shared` if it is among them, else by the first
  /// that shows the whole path, else by the first; the next one takes its place when it is released. Observers are
  /// called on a queue that waits for nobody but them. `currentPath` is up to date before.
  public var postsNotifications: Bool {
    get { NotificationPoster.shared.contains(self) }
    set { if newValue { NotificationPoster.shared.add(self) } else { NotificationPoster.shared.remove(self) } }
  }
}
