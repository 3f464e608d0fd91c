internal import SystemIO

/// The connections of a server by their descriptors, and their number for each user.
struct ConnectionTable {
  /// The decision on a client that has connected.
  enum Admission: Equatable {
    /// There is room.
    case admitted
    /// There is room after a connection of this user, who has the most, ends.
    case admittedInPlaceOf(user: UInt32)
    /// The limit of the name and value is reached.
    case refused(limit: String, value: Int)
  }

  private(set) var all: [Int32: VarlinkConnection] = [:]
  private var counts: [UInt32: Int] = [:]

  var count: Int { all.count }

  /// The number of the user's connections.
  func count(of user: UInt32) -> Int { counts[user] ?? 0 }

  mutating func insert(_ connection: VarlinkConnection) {
    all[connection.descriptor] = connection
    counts[connection.peer.user, default: 0] += 1
  }

  /// Removes a connection. Returns whether the table contained it.
  mutating func remove(_ connection: VarlinkConnection) -> Bool {
    guard all.removeValue(forKey: connection.descriptor) != nil else { return false }
    let left = count(of: connection.peer.user) - 1
    counts[connection.peer.user] = left > 0 ? left : nil
    return true
  }

  /// The newest connection of the user.
  func latest(of user: UInt32) -> VarlinkConnection? {
    all.values.lazy.filter { $0.peer.user == user }.max { $0.number < $1.number }
  }

  /// Decides on another connection of the user.
  func admission(of user: UInt32, _ limits: ConnectionLimits) -> Admission {
    limits.admission(of: user, counts, total: all.count)
  }
}

/// The limits on connections. Pure.
struct ConnectionLimits {
  /// The largest number of connections.
  var whole: Int
  /// The largest number of connections of a user other than root.
  var perUser: Int

  /// The number of connections reserved for root.
  var kept: Int { min(64, whole / 8) }

  /// Decides on another connection of a user, given the number of each user's connections and the total.
  func admission(of user: UInt32, _ counts: [UInt32: Int], total: Int) -> ConnectionTable.Admission {
    let own = counts[user] ?? 0
    if user != 0, own >= perUser { return .refused(limit: "connectionsPerUser", value: perUser) }
    let ofRoot = counts[0] ?? 0
    let hasRoom = total < whole && (user == 0 || total - ofRoot < whole - kept)
    if hasRoom { return .admitted }
    // Of equal users the one with the highest number, so that the decision does not depend on an order of hashes.
    let heaviest = counts.filter { $0.key != 0 }.max { ($0.value, $0.key) < ($1.value, $1.key) }
    guard let heaviest, user == 0 || heaviest.value > own + 1 else {
      return .refused(limit: "connections", value: whole)
    }
    return .admittedInPlaceOf(user: heaviest.key)
  }
}
