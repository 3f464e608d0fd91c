internal import PathEngine

/// The number of different streams that each user follows: a stream is settled, compared and encoded once, however
/// many of the user's clients share it. Pure.
struct StreamShares {
  /// The largest number of different streams for a user other than root.
  static let perUser = 64

  private var counts: [UInt32: [StreamParameters: Int]] = [:]

  /// Adds a subscription; `false` when it would be one stream too many for the user.
  mutating func add(_ parameters: StreamParameters, of user: UInt32) -> Bool {
    let streams = counts[user] ?? [:]
    if user != 0, streams[parameters] == nil, streams.count >= Self.perUser { return false }
    counts[user, default: [:]][parameters, default: 0] += 1
    return true
  }

  /// Removes a subscription.
  mutating func remove(_ parameters: StreamParameters, of user: UInt32) {
    guard let count = counts[user]?[parameters] else { return }
    counts[user]?[parameters] = count > 1 ? count - 1 : nil
    if counts[user]?.isEmpty == true { counts[user] = nil }
  }
}
