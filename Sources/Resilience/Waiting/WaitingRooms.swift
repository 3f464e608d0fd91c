internal import ConnectivityCore
internal import SystemIO

/// The waiting rooms of the program. Retries with the same monitor, clock and values of ``Reconnection`` share one,
/// which ends with the last of them.
enum WaitingRooms {
  struct Key: Hashable, Sendable {
    var monitor: ObjectIdentifier
    var clockType: ObjectIdentifier
    /// The clock itself if it is an object: two manual clocks show different times.
    var clock: ObjectIdentifier?
    var reconnection: Reconnection
  }

  private struct Entry {
    var room: any AnyObject & Sendable
    var users: Int
  }

  private static let rooms = Guarded<[Key: Entry]>([:])

  /// The number of rooms.
  static var count: Int { rooms.withLock { $0.count } }

  /// Enters the room, and opens it if nobody is there.
  static func enter<C: Clock>(
    _ reconnection: Reconnection, on monitor: PathMonitor, clock: C, seed: UInt64
  ) -> WaitingRoomVisit<C> where C.Duration == Duration {
    let key = Key(
      monitor: ObjectIdentifier(monitor), clockType: ObjectIdentifier(C.self),
      clock: C.self is AnyClass ? ObjectIdentifier(clock as AnyObject) : nil, reconnection: reconnection)
    let known = rooms.withLock { rooms -> WaitingRoom<C>? in
      guard let room = rooms[key]?.room as? WaitingRoom<C> else { return nil }
      rooms[key]?.users += 1
      return room
    }
    let room = known ?? add(WaitingRoom(reconnection, on: monitor, clock: clock, seed: seed), key)
    room.observe()
    return WaitingRoomVisit(room: room, monitor: monitor, key: key)
  }

  /// Opens the room, unless another thread has opened one meanwhile.
  private static func add<C: Clock>(_ new: WaitingRoom<C>, _ key: Key) -> WaitingRoom<C>
  where C.Duration == Duration {
    rooms.withLock { rooms in
      if let room = rooms[key]?.room as? WaitingRoom<C> {
        rooms[key]?.users += 1
        return room
      }
      rooms[key] = Entry(room: new, users: 1)
      return new
    }
  }

  fileprivate static func leave(_ key: Key) -> (any AnyObject & Sendable)? {
    rooms.withLock { rooms in
      rooms[key]?.users -= 1
      return rooms[key]?.users == 0 ? rooms.removeValue(forKey: key)?.room : nil
    }
  }
}

/// The visit of one retry to a waiting room, from its first wait to its end.
struct WaitingRoomVisit<C: Clock>: Sendable where C.Duration == Duration {
  fileprivate let room: WaitingRoom<C>
  /// Keeps the monitor alive, whose identity is a part of the key.
  fileprivate let monitor: PathMonitor
  fileprivate let key: WaitingRooms.Key
  /// Whether the operation was released and is under way.
  private var isUnderWay = false

  fileprivate init(room: WaitingRoom<C>, monitor: PathMonitor, key: WaitingRooms.Key) {
    (self.room, self.monitor, self.key) = (room, monitor, key)
  }

  /// Waits for the path.
  mutating func wait(
    until deadline: C.Instant?, isolation: isolated (any Actor)? = #isolation
  ) async -> WaitingRoom<C>.Outcome {
    let outcome = await room.wait(until: deadline)
    isUnderWay = outcome == .released
    return outcome
  }

  /// Notes that the operation is no longer under way.
  mutating func operationEnded() {
    if isUnderWay { room.operationEnded() }
    isUnderWay = false
  }

  /// Leaves the room.
  mutating func leave() {
    operationEnded()
    if WaitingRooms.leave(key) != nil { room.close() }
  }
}
