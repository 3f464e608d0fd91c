/// Values by their ranks, the lowest first; values of equal rank in the order of setting. A rank is the moment of a
/// timer, or the account of a user who waits for a turn.
///
/// A binary heap that knows the position of each entry: setting, moving and removing one of n takes O(log n), and a
/// removed entry leaves nothing behind.
package struct PriorityQueue<Rank: Comparable, Value> {
  /// The handle of a waiting value. It is void after the value was removed or taken.
  package struct Ticket: Hashable, Sendable {
    fileprivate let slot: Int
  }

  /// Small and without references, because entries are moved often.
  private struct Entry {
    var rank: Rank
    /// Increases with each setting, to order equal ranks.
    var order: UInt64
    var slot: Int

    func precedes(_ other: Entry) -> Bool {
      if rank < other.rank { return true }
      return order < other.order && !(other.rank < rank)
    }
  }

  private struct Slot {
    /// The position of the entry in the heap.
    var position: Int
    /// `nil` while the slot is free.
    var value: Value?
  }

  private var heap: [Entry] = []
  private var slots: [Slot] = []
  private var freeSlots: [Int] = []
  private var nextOrder: UInt64 = 0

  /// An empty queue.
  package init() {}

  /// The number of waiting values.
  package var count: Int { heap.count }

  /// The lowest rank; `nil` when no value waits.
  package var lowestRank: Rank? { heap.first?.rank }

  /// Inserts a value with its rank.
  @discardableResult
  package mutating func insert(_ value: Value, rank: Rank) -> Ticket {
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
      slots[slot] = Slot(position: heap.count, value: value)
    } else {
      slot = slots.count
      slots.append(Slot(position: heap.count, value: value))
    }
    heap.append(makeEntry(rank, slot))
    siftUp(from: heap.count - 1)
    return Ticket(slot: slot)
  }

  /// Moves a value to another rank, behind the values of the same rank.
  package mutating func move(_ ticket: Ticket, to rank: Rank) {
    let position = slots[ticket.slot].position
    heap[position] = makeEntry(rank, ticket.slot)
    restoreOrder(at: position)
  }

  /// Removes a value that need not wait any longer.
  @discardableResult
  package mutating func remove(_ ticket: Ticket) -> Value? {
    removeValue(at: slots[ticket.slot].position)
  }

  /// Removes the first value; `nil` when there is none.
  package mutating func popFirst() -> Value? { heap.isEmpty ? nil : removeValue(at: 0) }

  /// Removes the first value whose rank is not above the given one; `nil` when there is none.
  package mutating func popFirst(upTo rank: Rank) -> Value? {
    guard let first = heap.first, !(rank < first.rank) else { return nil }
    return removeValue(at: 0)
  }

  private mutating func makeEntry(_ rank: Rank, _ slot: Int) -> Entry {
    defer { nextOrder += 1 }
    return Entry(rank: rank, order: nextOrder, slot: slot)
  }

  private mutating func removeValue(at position: Int) -> Value? {
    let slot = heap[position].slot
    let last = heap.removeLast()
    if position < heap.count {
      place(last, at: position)
      restoreOrder(at: position)
    }
    freeSlots.append(slot)
    return slots[slot].value.take()
  }

  // MARK: The heap

  /// Moves the entry at the position to its place, if it is the only one out of order.
  private mutating func restoreOrder(at position: Int) {
    siftDown(from: position)
    siftUp(from: position)
  }

  private mutating func siftUp(from start: Int) {
    var position = start
    let entry = heap[position]
    while position > 0 {
      let parent = (position - 1) / 2
      guard entry.precedes(heap[parent]) else { break }
      place(heap[parent], at: position)
      position = parent
    }
    place(entry, at: position)
  }

  private mutating func siftDown(from start: Int) {
    var position = start
    let entry = heap[position]
    while true {
      var child = 2 * position + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
      guard heap[child].precedes(entry) else { break }
      place(heap[child], at: position)
      position = child
    }
    place(entry, at: position)
  }

  private mutating func place(_ entry: Entry, at position: Int) {
    heap[position] = entry
    slots[entry.slot].position = position
  }
}
