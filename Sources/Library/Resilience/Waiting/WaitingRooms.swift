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
    _ reconnection: Reconnection, on monitor: PathMonitor, clock: C, deadline: C.Instant?, seed: UInt64
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
    return WaitingRoomVisit(room: room, monitor: monitor, key: key, deadline: deadline)
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
final class WaitingRoomVisit<C: Clock> where C.Duration == Duration {
  private let room: WaitingRoom<C>
  /// Keeps the monitor alive, whose identity is a part of the key.
  private let monitor: PathMonitor
  private let key: WaitingRooms.Key
  private let deadline: C.Instant?
  /// Whether the operation was released and is under way.
  private var isUnderWay = false

  fileprivate init(room: WaitingRoom<C>, monitor: PathMonitor, key: WaitingRooms.Key, deadline: C.Instant?) {
    (self.room, self.monitor, self.key, self.deadline) = (room, monitor, key, deadline)
  }

  /// Waits for the path. This function becomes a part of its caller, to save the frame.
  @inline(__always)
  func wait(isolation: isolated (any Actor)? = #isolation) async -> WaitingOutcome {
    let waiter = room.nextWaiter()
    let outcome = await withTaskCancellationHandler(
      operation: {
        await withCheckedContinuation(isolation: isolation) { room.join(waiter, $0, deadline: deadline) }
      }, onCancel: { [room] in room.cancel(waiter) }, isolation: isolation)
    isUnderWay = outcome == .released
    return outcome
  }

  /// Notes that the operation is no longer under way.
  func operationEnded() {
    if isUnderWay { room.operationEnded() }
    isUnderWay = false
  }

  /// Leaves the room.
  func leave() {
    operationEnded()
    if WaitingRooms.leave(key) != nil { room.close() }
  }
}
