/// Values that wait for their moments, the earliest first; those of equal moments in the order they were set.
///
/// A binary heap that knows where each entry is: setting, moving and removing one of n takes O(log n), and nothing
/// that was removed stays behind. It knows no clock.
package struct TimerQueue<Moment: Comparable, Value> {
  /// What stands for a value that waits. It is void once the value was removed or taken.
  package struct Ticket: Hashable, Sendable {
    fileprivate let slot: Int
  }

  /// Small and without references, for entries are moved a lot.
  private struct Entry {
    var moment: Moment
    /// Counts up with each setting, to tell equal moments apart.
    var order: UInt64
    var slot: Int

    func precedes(_ other: Entry) -> Bool {
      if moment < other.moment { return true }
      return order < other.order && !(other.moment < moment)
    }
  }

  private struct Slot {
    /// Where the entry is in the heap.
    var position: Int
    /// `nil` while the slot is free.
    var value: Value?
  }

  private var heap: [Entry] = []
  private var slots: [Slot] = []
  private var freeSlots: [Int] = []
  private var nextOrder: UInt64 = 0

  /// A queue in which nothing waits.
  package init() {}

  /// How many values wait.
  package var count: Int { heap.count }

  /// The next moment; `nil` when nothing waits.
  package var earliest: Moment? { heap.first?.moment }

  /// Has a value wait for its moment.
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

  /// Has a value wait for another moment, behind those that wait for the same already.
  package mutating func move(_ ticket: Ticket, to moment: Moment) {
    let position = slots[ticket.slot].position
    heap[position] = makeEntry(moment, ticket.slot)
    restoreOrder(at: position)
  }

  /// Takes a value out that need not wait any longer.
  @discardableResult
  package mutating func remove(_ ticket: Ticket) -> Value? {
    take(at: slots[ticket.slot].position)
  }

  /// Takes out the first value whose moment is not after the given one; `nil` when there is none.
  package mutating func popFirst(notAfter moment: Moment) -> Value? {
    guard let first = heap.first, !(moment < first.moment) else { return nil }
    return take(at: 0)
  }

  private mutating func makeEntry(_ moment: Moment, _ slot: Int) -> Entry {
    defer { nextOrder += 1 }
    return Entry(moment: moment, order: nextOrder, slot: slot)
  }

  private mutating func take(at position: Int) -> Value? {
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

  /// Puts the entry at the position where it belongs, when it is the only one out of order.
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
