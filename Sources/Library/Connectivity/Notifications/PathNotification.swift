public import ConnectivityCore
public import Foundation
public import PathModel

extension Notification.Name {
  /// Posted when the network path has changed. The object is the `PathMonitor`; the path is in the user info, see
  /// `Notification.networkPath`.
  ///
  /// An app that has a constant of the same name sees its own.
  public static let connectivityStatus = Notification.Name("io.pathmonitor.connectivityStatus")
}

extension Notification {
  /// The key of the path in the user info of `connectivityStatus`: a `NetworkPath`.
  public static let networkPathKey = "path"

  /// The path that a notification carries; `nil` for notifications of other names.
  ///
  /// It is the path of the posted change. `PathMonitor.currentPath` may be newer.
  public var networkPath: NetworkPath? {
    name == .connectivityStatus ? userInfo?[Self.networkPathKey] as? NetworkPath : nil
  }
}

extension PathMonitor {
  /// The path has changed: a message for observers in any isolation.
  ///
  /// ```swift
  /// for await message in NotificationCenter.default.messages(of: PathMonitor.shared, for: .pathDidChange) {
  ///   print(message.path)
  /// }
  /// ```
  ///
  /// It is the same event as the notification `connectivityStatus`, posted right after it. Foundation on Linux does not
  /// convert one into the other. The names differ, so that a Foundation that did would deliver no event twice.
  public struct PathDidChange: NotificationCenter.AsyncMessage {
    /// The monitor in whose name the change is posted.
    public typealias Subject = PathMonitor
    /// The name that identifies this message.
    public static var name: Notification.Name { Notification.Name("io.pathmonitor.pathDidChange") }

    /// The path after the change.
    public var path: NetworkPath

    /// A message of a path.
    public init(path: NetworkPath) {
      self.path = path
    }
  }

  /// The path has changed: a message for observers on the main actor.
  public struct PathDidChangeOnMain: NotificationCenter.MainActorMessage {
    /// The monitor in whose name the change is posted.
    public typealias Subject = PathMonitor
    /// The name that identifies this message.
    public static var name: Notification.Name { Notification.Name("io.pathmonitor.pathDidChangeOnMain") }

    /// The path after the change.
    public var path: NetworkPath

    /// A message of a path.
    public init(path: NetworkPath) {
      self.path = path
    }
  }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<PathMonitor.PathDidChange> {
  /// The path has changed.
  public static var pathDidChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<PathMonitor.PathDidChangeOnMain> {
  /// The path has changed; delivered on the main actor.
  public static var pathDidChangeOnMain: Self { .init() }
}
