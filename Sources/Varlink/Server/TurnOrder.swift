/// The order in which clients have their turns: fair among users by the time that their calls have taken. Pure.
///
/// Each user has an account of processor time. The user with the smallest account has the next turn, which is one call
/// of one connection, and is charged the time that it took. A user who comes back starts where the user stands who was
/// served last, so that nobody saves time up (start-time fair queueing). Each connection weighs some microseconds, so
/// that of equal users the one with fewer connections goes first; that is a head start and no privilege, and starves
/// nobody. Root has every second turn.
final class TurnOrder<Element> {
  /// First in, first out.
  private struct Line {
    private var elements: [Element] = []
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
      return elements[first]
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

  /// How many nanoseconds each connection of a user weighs, and the most that all of them do.
  private static var weightOfConnection: Int64 { 20_000 }
  private static var greatestWeight: Int64 { 20_000_000 }

  private var users: [UInt32: User] = [:]
  private var queue = RankedUsers()
  private var rootLine = Line()
  private var wasRootsTurn = false
  /// Whose turn it is: the user waits again when it is known what the turn has cost.
  private var served: UInt32?
  /// The account of the user who was served last.
  private var present: Int64 = 0

  /// An order in which nobody waits.
  init() {}

  /// Whether nobody waits.
  var isEmpty: Bool { rootLine.isEmpty && queue.isEmpty }

  /// How many users are remembered.
  var rememberedUsers: Int { users.count }

  /// Lets a client wait for its turn behind the others of its user.
  ///
  /// - Parameter connections: How many connections the user has.
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

  /// Takes out the client whose turn it is; `nil` when nobody waits. To be followed by ``charge(_:to:)``.
  func next() -> (user: UInt32, element: Element)? {
    if !wasRootsTurn || queue.isEmpty, let element = rootLine.popFirst() {
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

  /// Charges the user of the latest turn with its nanoseconds, and lets the user's next client wait.
  func charge(_ nanoseconds: Int64, to user: UInt32) {
    served = nil
    guard user != 0, let entry = users[user] else { return }
    entry.account += nanoseconds
    // When nobody else waits the turn was taken from nobody.
    if isEmpty { present = max(present, entry.account) }
    if !entry.isQueued, !entry.line.isEmpty {
      entry.isQueued = true
      queue.insert(user, rank: Self.rank(entry))
    }
    // Of a user who waits for nothing, and has used no more than others, there is nothing to remember.
    if users.count > 1_024 { users = users.filter { $1.isQueued || !$1.line.isEmpty || $1.account > present } }
  }

  private static func rank(_ user: User) -> Int64 {
    user.account + min(Int64(user.connections) * weightOfConnection, greatestWeight)
  }
}

/// Users by their ranks, the lowest first; those of equal ranks in the order in which they came. A binary heap.
private struct RankedUsers {
  private struct Entry {
    var rank: Int64
    var number: UInt64
    var user: UInt32

    func precedes(_ other: Entry) -> Bool { rank != other.rank ? rank < other.rank : number < other.number }
  }

  private var heap: [Entry] = []
  private var nextNumber: UInt64 = 0

  var isEmpty: Bool { heap.isEmpty }

  mutating func insert(_ user: UInt32, rank: Int64) {
    var position = heap.count
    heap.append(Entry(rank: rank, number: nextNumber, user: user))
    nextNumber += 1
    while position > 0, heap[position].precedes(heap[(position - 1) / 2]) {
      heap.swapAt(position, (position - 1) / 2)
      position = (position - 1) / 2
    }
  }

  mutating func popFirst() -> UInt32? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if heap.isEmpty { return first.user }
    heap[0] = last
    var position = 0
    while true {
      var child = 2 * position + 1
      if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
      guard child < heap.count, heap[child].precedes(heap[position]) else { break }
      heap.swapAt(child, position)
      position = child
    }
    return first.user
  }
}
