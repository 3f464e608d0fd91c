public import ConnectivityCore

extension PathMonitor {
  /// Whether changes of this monitor's path are posted to `NotificationCenter.default`: as `connectivityStatus`, and as
  /// the messages `pathDidChange` and `pathDidChangeOnMain`. `false` by default.
  ///
  /// Meant for the shared monitor: set `PathMonitor.shared.postsNotifications = true` once, when the program begins.
  ///
  /// A monitor that posts follows the path without being started, and posts the first path, too. It stops posting when
  /// this is set to `false` or the monitor is released. `cancel()` does not change this, because it ends handlers and
  /// iterations only.
  ///
  /// Each change is posted once, even if several monitors of the process post. `PathMonitor.shared` posts if it is
  /// among them. Otherwise the first monitor that shows the whole path posts, or else the first of all. When this
  /// monitor stops, the next one takes its place. Observers are called on a queue that serves only them. `currentPath`
  /// is up to date before they are called.
  public var postsNotifications: Bool {
    get { NotificationPoster.shared.contains(self) }
    set { if newValue { NotificationPoster.shared.add(self) } else { NotificationPoster.shared.remove(self) } }
  }
}
