/// Values that wait for their moments, the earliest first; values of equal moments in the order of setting.
///
/// A binary heap that knows the position of each entry: setting, moving and removing one of n takes O(log n), and a
/// removed entry leaves nothing behind. The queue has no clock.
package struct TimerQueue<Moment: Comparable, Value> {
  /// The handle of a waiting value. It is void after the value was removed or taken.
  package struct Ticket: Hashable, Sendable {
    fileprivate let slot: Int
  }

  /// Small and without references, because entries are moved often.
  private struct Entry {
    var moment: Moment
    /// Increases with each setting, to order equal moments.
    var order: UInt64
    var slot: Int

    func precedes(_ other: Entry) -> Bool {
      if moment < other.moment { return true }
      return order < other.order && !(other.moment < moment)
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

  /// The next moment; `nil` when no value waits.
  package var earliest: Moment? { heap.first?.moment }

  /// Inserts a value that waits for its moment.
  package mutating func insert(_ value: Value, at moment: Moment) -> Ticket {
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
      slots[slot] = Slot(position: heap.count, value: value)
    } else {
      slot = slots.count
      slots.append(Slot(position: heap.count, value: value))
    }
    heap.append(makeEntry(moment, slot))
    siftUp(from: heap.count - 1)
    return Ticket(slot: slot)
  }

  /// Moves a value to another moment, behind the values of the same moment.
  package mutating func move(_ ticket: Ticket, to moment: Moment) {
    let position = slots[ticket.slot].position
    heap[position] = makeEntry(moment, ticket.slot)
    restoreOrder(at: position)
  }

  /// Removes a value that need not wait any longer.
  @discardableResult
  package mutating func remove(_ ticket: Ticket) -> Value? {
    removeValue(at: slots[ticket.slot].position)
  }

  /// Removes the first value whose moment is not after the given one; `nil` when there is none.
  package mutating func popFirst(notAfter moment: Moment) -> Value? {
    guard let first = heap.first, !(moment < first.moment) else { return nil }
    return removeValue(at: 0)
  }

  private mutating func makeEntry(_ moment: Moment, _ slot: Int) -> Entry {
    defer { nextOrder += 1 }
    return Entry(moment: moment, order: nextOrder, slot: slot)
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
