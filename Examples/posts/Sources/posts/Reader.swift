import Connectivity
import Foundation

/// The state of the reader, and its decisions: an event goes in, an action comes out. `Pages.swift` draws the state.
struct Reader {
  /// An event that the reader reacts to.
  enum Event {
    /// Another phase of the path is to be shown.
    case phase(ConnectivityPhase, at: Date)
    /// The path has not become known within a reasonable time.
    case stillChecking
    /// An attempt to read the list has ended.
    case read(Result<[Post], PostListError>, attempt: Int, at: Date)
    case key(Key)
    case resized(ScreenSize)
  }

  /// The meaning of a key.
  enum Key {
    case up, down, open, back, refresh, quit
  }

  /// An action for the owner of the reader.
  enum Action: Equatable {
    case none
    /// Read the list, and report the result with this number.
    case read(attempt: Int)
    /// Cancel the attempt that is under way; its result is ignored.
    case abandon
    case quit
  }

  /// The list as it was read last.
  struct List: Equatable {
    var posts: [Post]
    var readAt: Date
  }

  private(set) var phase = ConnectivityPhase.checking
  private(set) var offlineSince: Date?
  /// The latest list. It stays while the network is gone: old posts are better than none.
  private(set) var list: List?
  /// The reason why the last attempt gave no list.
  private(set) var problem: String?
  private(set) var attempt: Int?
  private(set) var selection = 0
  /// The opened post. It stays as it is when the list is refreshed.
  private(set) var opened: Post?
  /// The number of its lines that are scrolled out at the top.
  private(set) var scroll = 0
  private(set) var size: ScreenSize
  private var attempts = 0

  init(size: ScreenSize) {
    self.size = size
  }

  /// Updates the state for an event, and returns the next action.
  mutating func receive(_ event: Event) -> Action {
    switch event {
    case .phase(let phase, let now):
      return show(phase, at: now)
    case .stillChecking:
      // An unknown path must not keep anybody from reading.
      return phase == .checking && list == nil ? read() : .none
    case .read(let result, let attempt, let now):
      if attempt == self.attempt { finishReading(with: result, at: now) }
      return .none
    case .key(let key):
      return press(key)
    case .resized(let size):
      self.size = size
      scroll = min(scroll, longestScroll)
      return .none
    }
  }

  private mutating func show(_ phase: ConnectivityPhase, at now: Date) -> Action {
    let before = self.phase
    self.phase = phase
    switch (before, phase) {
    case (_, .checking), (.online, .degraded), (.online, .online), (.degraded, .degraded), (.offline, .offline):
      return .none
    case (_, .offline):
      offlineSince = now
      problem = nil
      // An attempt without a path would hang until it times out.
      attempt = nil
      return .abandon
    case (_, .online), (_, .degraded):
      // The network is there, or back, so the list is read again.
      offlineSince = nil
      return read()
    }
  }

  /// Begins an attempt unless one is under way. The user can ask for one without a path too: there may be no way to the
  /// Internet, but one to a server in the same room.
  private mutating func read() -> Action {
    guard attempt == nil else { return .none }
    attempts += 1
    attempt = attempts
    return .read(attempt: attempts)
  }

  private mutating func finishReading(with result: Result<[Post], PostListError>, at now: Date) {
    attempt = nil
    switch result {
    case .success(let posts):
      problem = nil
      // The same post stays selected, wherever it is now.
      if let post = selectedPost { selection = posts.firstIndex(of: post) ?? selection }
      selection = max(0, min(selection, posts.count - 1))
      list = List(posts: posts, readAt: now)
    case .failure(let error):
      problem = error.sentence
    }
  }

  private mutating func press(_ key: Key) -> Action {
    switch key {
    case .quit: return .quit
    case .refresh: return read()
    case .back: opened = nil
    case .open: if opened == nil { (opened, scroll) = (selectedPost, 0) }
    case .up, .down:
      let step = key == .up ? -1 : 1
      if opened != nil {
        scroll = max(0, min(scroll + step, longestScroll))
      } else {
        selection = max(0, min(selection + step, (list?.posts.count ?? 0) - 1))
      }
    }
    return .none
  }

  private var selectedPost: Post? {
    guard let list, list.posts.indices.contains(selection) else { return nil }
    return list.posts[selection]
  }
}
