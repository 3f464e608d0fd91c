public import ConnectivityCore

extension PathMonitor {
  /// Whether changes of this monitor's path are posted to `NotificationCenter.default`: as `connectivityStatus`, and
  /// as the messages `pathDidChange` and `pathDidChangeOnMain`. `false` unless it is set.
  ///
  /// Meant for the shared one: `PathMonitor.shared.postsNotifications = true` once, when the program begins.
  ///
  /// A monitor that posts follows the path without being started, and posts the first path too. It does so until this
  /// is `false` again or the monitor is released; `cancel()` does not change it, as it ends handlers and iterations.
  ///
  /// Each change is posted once, however many monitors of the process do so: by `PathMonitor.shared` if it is among them,
  /// else by the first that shows the whole path, else by the first; the next one takes its place when it stops.
  /// Observers are called on a queue that waits for nobody but them. `currentPath` is up to date before.
  public var postsNotifications: Bool {
    get { NotificationPoster.shared.contains(self) }
    set { if newValue { NotificationPoster.shared.add(self) } else { NotificationPoster.shared.remove(self) } }
  }
}
