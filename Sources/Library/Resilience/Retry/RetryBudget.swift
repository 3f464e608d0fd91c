internal import SystemIO

/// The budget for retries to one server, shared by all requests to it: a bucket of tokens that failures empty and
/// successes fill. Retries are allowed while more than half of the tokens are there. A first attempt always is.
///
/// A server that fails gets hardly more than its usual load, however many clients retry. It is the throttling of gRPC's
/// proposal A6.
///
/// ```swift
/// policy.budget = .shared(for: "api.example.org")
/// ```
///
/// A failure takes a token if it has reached the server, or should have. A failure without a path takes none, nor does
/// a wait for one, nor an error that is not about the server, nor an answer with `Retry-After`.
///
/// Half of the capacity is the number of failures in a row after which retries end. Give a program with many operations
/// at a time about as many tokens as operations.
public final class RetryBudget: Sendable {
  /// The number of tokens, a thousand for each whole one: `tokenRatio` has three decimal places in gRPC, too.
  private let thousandths: Guarded<Int>
  private let capacity: Int
  private let refill: Int

  /// A full budget.
  ///
  /// - Parameters:
  ///   - capacity: The largest number of tokens. If half of so many attempts have failed, retries end for a time.
  ///   - refill: The number of tokens that each success brings: the share of retries that the server is to bear.
  public init(capacity: Double = 20, refill: Double = 0.1) {
    self.capacity = Self.thousandths(capacity)
    self.refill = Self.thousandths(refill)
    thousandths = Guarded(self.capacity)
  }

  private static func thousandths(_ tokens: Double) -> Int { Int((max(0, min(tokens, 1e12)) * 1_000).rounded()) }

  /// The number of tokens now.
  public var tokens: Double { Double(thousandths.copy) / 1_000 }

  fileprivate var isFull: Bool { thousandths.copy == capacity }

  /// Whether retries are allowed now.
  public var allowsRetries: Bool { thousandths.copy > capacity / 2 }

  /// Notes that the server has done its work.
  public func noteSuccess() { add(refill) }

  /// Notes that the server has failed, or did not answer.
  public func noteFailure() { add(-1_000) }

  private func add(_ amount: Int) { thousandths.withLock { $0 = max(0, min($0 + amount, capacity)) } }

  private static let servers = Guarded(SharedBudgets())

  /// The budget of a server that all parts of the program share, with 20 tokens.
  ///
  /// The program remembers a thousand servers. Of more, it forgets those whose budget nobody holds.
  ///
  /// - Parameter server: The name of the server, with its port if it has several: `api.example.org:8443`. Names that
  ///   differ in case are the same.
  public static func shared(for server: String) -> RetryBudget {
    let name = server.lowercased()
    return servers.withLock { $0.budget(for: name) }
  }
}

/// The budgets of the program by server. A full one is worth as much as a new one, so it is forgotten first.
struct SharedBudgets {
  static let limit = 1_000
  private var budgets: [String: RetryBudget] = [:]
  /// The number of budgets at which the next ones are forgotten. Budgets that are held can only double it.
  private var threshold = limit

  var count: Int { budgets.count }

  mutating func budget(for name: String) -> RetryBudget {
    if let budget = budgets[name] { return budget }
    if budgets.count >= threshold {
      forget { $0.isFull }
      if budgets.count >= Self.limit { forget { _ in true } }
      threshold = max(Self.limit, 2 * budgets.count)
    }
    let budget = RetryBudget()
    budgets[name] = budget
    return budget
  }

  private mutating func forget(where isForgettable: (RetryBudget) -> Bool) {
    for name in Array(budgets.keys) {
      guard var budget = budgets.removeValue(forKey: name) else { continue }
      if !isKnownUniquelyReferenced(&budget) || !isForgettable(budget) { budgets[name] = budget }
    }
  }
}
