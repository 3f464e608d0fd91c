import Connectivity
import ConnectivityTesting
import Dispatch
import Foundation
import SystemIO
import Testing

/// Notifications belong to the whole process: one test at a time, and each with observers of its own monitors alone.
@Suite("Notifications", .serialized)
struct NotificationTests {
  /// Collects the posts that have a monitor as the object, on the thread of the post.
  private final class Observer {
    private let token: any NSObjectProtocol
    private let recorder = PathRecorder()

    init(of monitor: PathMonitor?, _ body: @escaping @Sendable (Notification) -> Void = { _ in }) {
      token = NotificationCenter.default.addObserver(
        forName: .connectivityStatus, object: monitor, queue: nil
      ) { [recorder] notification in
        body(notification)
        if let path = notification.networkPath { recorder.add(path) }
      }
    }

    func wait(for count: Int) -> [NetworkPath] {
      while recorder.all.count < count, recorder.next() != nil {}
      return recorder.all
    }

    func end() {
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test func `each change is posted once, with the monitor, the path, and the state already readable`() {
    let (script, monitor) = scripted(.offline)
    let isTrue = Guarded(true)
    let observer = Observer(of: monitor) { notification in
      let monitor = notification.object as? PathMonitor
      let path = notification.userInfo?[Notification.networkPathKey] as? NetworkPath
      let isReadable = monitor != nil && path != nil && (monitor?.currentPath.sequence ?? -1) >= (path?.sequence ?? 0)
      isTrue.withLock { $0 = $0 && isReadable }
    }
    defer { observer.end() }
    #expect(!monitor.postsNotifications)
    monitor.postsNotifications = true
    monitor.postsNotifications = true
    #expect(monitor.postsNotifications)
    _ = observer.wait(for: 1)
    for path in [NetworkPath.online(), .online(), .offline] { script.send(path) }
    #expect(observer.wait(for: 3) == [.offline, .online(), .offline])
    #expect(isTrue.withLock { $0 })
    monitor.postsNotifications = false
    #expect(!monitor.postsNotifications)
    #expect(script.subscriberCount == 0)
  }

  @Test func `many monitors post a change once`() {
    let script = PathScript(.offline)
    let monitors = (0..<5).map { _ in PathMonitor(source: .scripted(script)) }
    let observer = Observer(of: nil)
    defer { observer.end() }
    for monitor in monitors { monitor.postsNotifications = true }
    script.send(.online())
    script.send(.online(over: .wifi))
    // The last path is delivered after all others would have been.
    script.send(.offline)
    #expect(observer.wait(for: 4) == [.offline, .online(), .online(over: .wifi), .offline])
    for monitor in monitors { monitor.postsNotifications = false }
  }

  @Test func `when the monitor that posts is released, the next one goes on where it was`() async {
    let script = PathScript(.offline)
    let successor = PathMonitor(source: .scripted(script))
    let observer = Observer(of: nil)
    defer { observer.end() }
    weak var released: PathMonitor?
    do {
      let monitor = PathMonitor(source: .scripted(script))
      released = monitor
      monitor.postsNotifications = true
      successor.postsNotifications = true
      script.send(.online())
      #expect(observer.wait(for: 2) == [.offline, .online()])
      withExtendedLifetime(monitor) {}
    }
    script.send(.online())
    script.send(.online(over: .cellular))
    #expect(observer.wait(for: 3) == [.offline, .online(), .online(over: .cellular)])
    successor.postsNotifications = false
    // The thread that posts holds a reference to the monitor until it has posted. A weak reference is nil before the
    // monitor has ended its subscription, which it does while it is released.
    while released != nil || script.subscriberCount > 0 { await Task.yield() }
  }

  @Test func `a monitor of the whole path posts rather than one of a part that was asked before`() {
    let script = PathScript(.online())
    let part = PathMonitor(requiredInterfaceType: .wifi, source: .scripted(script))
    let whole = PathMonitor(source: .scripted(script))
    let (ofPart, ofWhole) = (Observer(of: part), Observer(of: whole))
    defer {
      ofPart.end()
      ofWhole.end()
    }
    part.postsNotifications = true
    #expect(ofPart.wait(for: 1).map(\.status) == [.unsatisfied])
    whole.postsNotifications = true
    #expect(ofWhole.wait(for: 1) == [.online()])
    // A change that the monitor of a part does not show.
    script.send(.online(over: .cellular))
    #expect(ofWhole.wait(for: 2) == [.online(), .online(over: .cellular)])
    whole.postsNotifications = false
    part.postsNotifications = false
  }

  @Test func `a change that waits to be posted while its monitor is released is posted by the next one`() async {
    for _ in 0..<200 {
      let script = PathScript(.offline)
      let successor = PathMonitor(source: .scripted(script))
      let (isBlocked, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let observer = Observer(of: nil) { notification in
        guard notification.networkPath == .online() else { return }
        isBlocked.signal()
        mayGoOn.wait()
      }
      defer { observer.end() }
      weak var released: PathMonitor?
      func postUntilBlocked() {
        let monitor = PathMonitor(source: .scripted(script))
        released = monitor
        monitor.postsNotifications = true
        successor.postsNotifications = true
        script.send(.online())
        // From here on only the posting thread holds a reference to the monitor, until it has posted.
        isBlocked.wait()
      }
      postUntilBlocked()
      script.send(.online(over: .cellular))
      mayGoOn.signal()
      #expect(observer.wait(for: 3) == [.offline, .online(), .online(over: .cellular)])
      successor.postsNotifications = false
      while released != nil || script.subscriberCount > 0 { await Task.yield() }
    }
  }

  @Test func `an unknown path is not posted`() {
    let (script, monitor) = scripted(.unknown)
    let observer = Observer(of: monitor)
    defer { observer.end() }
    monitor.postsNotifications = true
    script.send(.online())
    #expect(observer.wait(for: 1) == [.online()])
    monitor.postsNotifications = false
  }

  @Test func `a blocked observer delays neither the path nor the handlers, and misses nothing`() {
    let stage = ScriptedStage(.offline)
    let (isBlocked, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let observer = Observer(of: stage.monitor) { _ in
      isBlocked.signal()
      mayGoOn.wait()
    }
    defer { observer.end() }
    stage.monitor.start(queue: stage.queue)
    stage.monitor.postsNotifications = true
    isBlocked.wait()
    // Paths that come before the handler's turn are skipped, and this test needs the first one in the handler.
    stage.queue.sync {}
    stage.send(.online(), .online(over: .wifi), .offline)
    #expect(stage.recorder.all == [.offline, .online(), .online(over: .wifi), .offline])
    #expect(stage.monitor.currentPath == .offline)
    for _ in 0..<4 { mayGoOn.signal() }
    #expect(observer.wait(for: 4) == stage.recorder.all)
    stage.monitor.postsNotifications = false
  }

  @Test func `the typed messages deliver the same event`() async {
    let (script, monitor) = scripted(.offline)
    let (received, telling) = AsyncStream.makeStream(of: NetworkPath.self)
    let token = NotificationCenter.default.addObserver(of: monitor, for: .pathDidChange) { message in
      telling.yield(message.path)
    }
    let (toldOnMain, tellingOnMain) = AsyncStream.makeStream(of: NetworkPath.self)
    let mainToken = NotificationCenter.default.addObserver(of: monitor, for: .pathDidChangeOnMain) { message in
      MainActor.assertIsolated()
      tellingOnMain.yield(message.path)
    }
    monitor.postsNotifications = true
    var (paths, pathsOnMain) = (received.makeAsyncIterator(), toldOnMain.makeAsyncIterator())
    #expect(await paths.next() == .offline)
    #expect(await pathsOnMain.next() == .offline)
    script.send(.online())
    #expect(await paths.next() == .online())
    #expect(await pathsOnMain.next() == .online())
    NotificationCenter.default.removeObserver(token)
    NotificationCenter.default.removeObserver(mainToken)
    monitor.postsNotifications = false
  }

  @Test func `a notification of another name carries no path`() {
    #expect(Notification(name: Notification.Name("other"), userInfo: ["path": NetworkPath.offline]).networkPath == nil)
    #expect(Notification.Name.connectivityStatus.rawValue == "io.pathmonitor.connectivityStatus")
  }
}
