/// The amounts that connections make the service hold, and the connections that exceed a share. Pure.
///
/// All users but root together have three quarters of the whole, and a user has at most a quarter. When the whole is
/// used up, the user with the most gives way, so nobody is refused because of the amounts of others.
struct ShareBudget {
  /// The most that all connections together may hold.
  var whole: Int
  /// The most that the connections of a user other than root may hold.
  var perUser: Int { whole / 4 }
  /// The most that the connections of all users other than root may hold.
  var perOthers: Int { whole - whole / 4 }

  private struct User {
    var total = 0
    var amounts: [Int32: Int] = [:]
  }

  private var users: [UInt32: User] = [:]
  /// The amount of all connections.
  private(set) var total = 0
  private var totalOfRoot = 0

  /// An unused budget.
  init(whole: Int) {
    self.whole = whole
  }

  /// Records the amount that a connection holds now.
  mutating func set(_ amount: Int, of connection: Int32, user: UInt32) {
    let before = users[user]?.amounts[connection] ?? 0
    // In place: a user may have thousands of connections.
    users[user, default: User()].amounts[connection] = amount > 0 ? amount : nil
    users[user, default: User()].total += amount - before
    if users[user]?.total == 0 { users[user] = nil }
    total += amount - before
    if user == 0 { totalOfRoot += amount - before }
  }

  /// The connection to end because an amount of the user has grown; `nil` while all amounts are within the limits.
  ///
  /// - Parameter user: The user whose amounts have changed since the last call.
  func excess(after user: UInt32) -> (connection: Int32, user: UInt32)? {
    if user != 0, let entry = users[user], entry.total > perUser { return greatest(of: user) }
    if total - totalOfRoot <= perOthers, total <= whole { return nil }
    let others = users.filter { $0.key != 0 }.max { $0.value.total < $1.value.total }
    return greatest(of: others?.key ?? 0)
  }

  private func greatest(of user: UInt32) -> (connection: Int32, user: UInt32)? {
    users[user]?.amounts.max { $0.value < $1.value }.map { ($0.key, user) }
  }
}
