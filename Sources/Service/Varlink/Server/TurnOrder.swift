internal import SystemIO

/// The order in which clients have their turns: fair among users by the time that their calls have taken. Pure.
///
/// Each user has an account of processor time. The user with the smallest account has the next turn, which is one call
/// of one connection, and its account is charged with the time of the call. A returning user starts at the account of
/// the user served last, so nobody saves time up (start-time fair queueing). Each connection weighs some microseconds:
/// of users with equal accounts, the one with the fewest connections goes first. This head start is limited and starves
/// nobody. Root has every second turn.
final class TurnOrder<Element> {
  /// First in, first out.
  private struct Line {
    /// A place is empty as soon as its element has left, so that a client that is served is not retained.
    private var elements: [Element?] = []
    private var first = 0

    var isEmpty: Bool { first == elements.count }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
      guard first < elements.count else { return nil }
      defer {
        first += 1
        if first == elements.count {
          elements.removeAll(keepingCapacity: elements.capacity <= 64)
          first = 0
        } else if first >= 1_024 {
          elements.removeFirst(first)
          first = 0
        }
      }
      return elements[first].take()
    }
  }

  /// A reference, so that a long line is never copied.
  private final class User {
    var line = Line()
    /// Nanoseconds.
    var account: Int64
    var connections = 0
    /// Whether the user is in the queue.
    var isQueued = false

    init(account: Int64) {
      self.account = account
    }
  }

  /// The weight of each connection of a user, and the most that all of them weigh, in nanoseconds.
  private static var weightOfConnection: Int64 { 20_000 }
  private static var greatestWeight: Int64 { 20_000_000 }

  private var users: [UInt32: User] = [:]
  private var queue = PriorityQueue<Int64, UInt32>()
  private var rootLine = Line()
  private var wasRootsTurn = false
  /// The user of the current turn, who waits again when the turn has been charged.
  private var served: UInt32?
  /// The account of the user who was served last.
  private var present: Int64 = 0

  /// An order without waiting clients.
  init() {}

  /// Whether no client waits.
  var isEmpty: Bool { rootLine.isEmpty && queue.count == 0 }

  /// The number of users with an account.
  var rememberedUsers: Int { users.count }

  /// Adds a client behind the waiting clients of its user.
  ///
  /// - Parameter connections: The number of the user's connections.
  func append(_ element: Element, of user: UInt32, connections: Int) {
    if user == 0 { return rootLine.append(element) }
    let entry = entry(of: user)
    entry.connections = connections
    entry.line.append(element)
    if !entry.isQueued, user != served {
      entry.account = max(entry.account, present)
      entry.isQueued = true
      queue.insert(user, rank: Self.rank(entry))
    }
  }

  private func entry(of user: UInt32) -> User {
    if let entry = users[user] { return entry }
    let entry = User(account: present)
    users[user] = entry
    return entry
  }

  /// Removes the client whose turn it is; `nil` when no client waits. Call ``charge(_:to:)`` after the turn.
  func next() -> (user: UInt32, element: Element)? {
    if !wasRootsTurn || queue.count == 0, let element = rootLine.popFirst() {
      wasRootsTurn = true
      return (0, element)
    }
    wasRootsTurn = false
    guard let user = queue.popFirst(), let entry = users[user], let element = entry.line.popFirst() else {
      return nil
    }
    entry.isQueued = false
    served = user
    present = max(present, entry.account)
    return (user, element)
  }

  /// Charges the user of the latest turn with its nanoseconds, and queues the user again if another client waits.
  func charge(_ nanoseconds: Int64, to user: UInt32) {
    served = nil
    guard user != 0, let entry = users[user] else { return }
    entry.account += nanoseconds
    // If no other client waits, the turn has delayed nobody.
    if isEmpty { present = max(present, entry.account) }
    if !entry.isQueued, !entry.line.isEmpty {
      entry.isQueued = true
      queue.insert(user, rank: Self.rank(entry))
    }
    // A user without waiting clients whose account is not above others needs no entry.
    if users.count > 1_024 { users = users.filter { $1.isQueued || !$1.line.isEmpty || $1.account > present } }
  }

  private static func rank(_ user: User) -> Int64 {
    user.account + min(Int64(user.connections) * weightOfConnection, greatestWeight)
  }
}
