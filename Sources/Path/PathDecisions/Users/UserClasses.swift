/// The classes into which policy rules with ranges of users divide all users. The users of a class are in exactly the
/// same ranges, so the kernel gives all of them the same routes.
///
/// One evaluation for each class is enough; its lookups name the representative of the class.
package struct UserClasses: Hashable, Sendable {
  /// The users at which the set of ranges changes, ascending from 0; empty without ranges.
  private let starts: [UInt32]
  /// The lowest user of the class that begins at each start.
  private let representatives: [UInt32]
  /// How many classes there are, at least one.
  package let count: Int

  /// The classes of the given ranges, in any order. It takes as long as sorting them.
  package init(ranges: [ClosedRange<UInt32>]) {
    guard !ranges.isEmpty else {
      (starts, representatives, count) = ([], [], 1)
      return
    }
    var membership = Membership(count: ranges.count)
    var starts: [UInt32] = []
    var representatives: [UInt32] = []
    var lowest: [Int: UInt32] = [:]
    var edges = Self.edges(of: ranges)[...]
    var start: UInt32 = 0
    while true {
      while let edge = edges.first, edge.user == start {
        membership.toggle(edge.range)
        edges.removeFirst()
      }
      // The users come in ascending order: the first of a class is its lowest.
      let representative = lowest[membership.identity] ?? start
      lowest[membership.identity] = representative
      starts.append(start)
      representatives.append(representative)
      guard let next = edges.first else { break }
      start = next.user
    }
    (self.starts, self.representatives, count) = (starts, representatives, lowest.count)
  }

  /// The representative of the user's class: its lowest user, and so the same for all members.
  ///
  /// - Returns: `nil` when there are no ranges, so that no lookup needs a user.
  package func representative(of user: UInt32) -> UInt32? {
    if starts.isEmpty { return nil }
    // The first start beyond the user; the first of all is 0, so there is one before it.
    var (low, high) = (1, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= user { low = middle + 1 } else { high = middle }
    }
    return representatives[low - 1]
  }

  /// The users at which a range begins, and those after its end, ascending.
  private static func edges(of ranges: [ClosedRange<UInt32>]) -> [(user: UInt32, range: Int)] {
    var edges: [(user: UInt32, range: Int)] = []
    edges.reserveCapacity(2 * ranges.count)
    for (index, range) in ranges.enumerated() {
      edges.append((range.lowerBound, index))
      // A range up to the highest user there is never ends.
      if range.upperBound < UInt32.max { edges.append((range.upperBound + 1, index)) }
    }
    return edges.sorted { $0.user < $1.user }
  }
}

/// A set of ranges that changes one by one, with a number that is the same exactly for the same set.
///
/// The set is a binary tree over the ranges. Equal subtrees have the same number, so that each change renumbers only
/// the nodes from a leaf to the root. Comparing whole sets would take the square of the number of ranges.
private struct Membership {
  private struct Pair: Hashable {
    var left: Int
    var right: Int
  }

  /// The number of each node: the root at 1, the children of `n` at `2n` and `2n + 1`. A leaf has 0 or 1.
  private var numbers: [Int]
  private let leafCount: Int
  private var numberByPair: [Pair: Int] = [:]

  init(count: Int) {
    var leafCount = 2
    while leafCount < count { leafCount *= 2 }
    self.leafCount = leafCount
    // All leaves are 0, and so are the nodes above them until a member comes in: no other pair has this number.
    numbers = [Int](repeating: 0, count: 2 * leafCount)
    numberByPair[Pair(left: 0, right: 0)] = 0
  }

  /// The number of the whole set.
  var identity: Int { numbers[1] }

  /// Adds an element, or removes it.
  mutating func toggle(_ element: Int) {
    var node = leafCount + element
    numbers[node] ^= 1
    while node > 1 {
      node /= 2
      let pair = Pair(left: numbers[2 * node], right: numbers[2 * node + 1])
      // Leaves take 0 and 1.
      let number = numberByPair[pair] ?? numberByPair.count + 1
      numberByPair[pair] = number
      numbers[node] = number
    }
  }
}
