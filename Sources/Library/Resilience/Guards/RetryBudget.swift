/// A limit for the retries to one server: a bucket of tokens that requests fill and retries empty.
///
/// A server that fails gets at most a share of its load on top, however many clients retry. The budget is a value; a
/// ``ServerHealth`` shares one among all requests to a server.
public struct RetryBudget: Hashable, Sendable {
  /// The number of tokens, a thousand for each whole one: `tokenRatio` has three decimal places in gRPC, too.
  private var thousandths: Int
  private let capacity: Int
  /// The tokens that each request brings, whatever becomes of it.
  private var deposit = 0
  /// The tokens that each failed attempt takes, whether it is retried or not.
  private var failureCost = 0
  private var retryCost = 0
  private var timeoutCost = 0
  /// The tokens that a successful request brings.
  private var reward = 0
  /// Whether a success after a retry returns the tokens of the last retry, in place of the reward.
  private var refundsLastRetry = false
  /// A retry is allowed only while there are more tokens than this.
  private var threshold = -1

  private init(capacity: Double, tokens: Double? = nil) {
    self.capacity = Self.thousandths(capacity)
    thousandths = min(Self.thousandths(tokens ?? capacity), self.capacity)
  }

  private static func thousandths(_ tokens: Double) -> Int { Int((max(0, min(tokens, 1e12)) * 1_000).rounded()) }

  /// The number of tokens now.
  public var tokens: Double { Double(thousandths) / 1_000 }

  // MARK: Kinds

  /// Retries may be a share of all requests, and some more at the beginning. Finagle's budgets work like this.
  ///
  /// With `n` requests to a dead server, there are at most `n · ratio + capacity` retries.
  ///
  /// - Parameters:
  ///   - ratio: The share of the requests.
  ///   - reserve: The number of retries that are allowed at the beginning, for programs with few requests.
  ///   - capacity: The number of retries that can be saved up.
  public static func share(of ratio: Double = 0.1, reserve: Int = 10, capacity: Int = 100) -> RetryBudget {
    var budget = RetryBudget(capacity: Double(max(reserve, capacity)), tokens: Double(reserve))
    budget.deposit = thousandths(ratio)
    (budget.retryCost, budget.timeoutCost) = (1_000, 1_000)
    return budget
  }

  /// A bucket as in the standard retry mode of the AWS SDKs: each retry takes tokens, more after a timeout. A success
  /// returns the tokens of its last retry, or brings one if there was none.
  public static func tokenBucket(
    capacity: Int = 500, retryCost: Int = 5, timeoutCost: Int = 10, tokens: Int? = nil
  ) -> RetryBudget {
    var budget = RetryBudget(capacity: Double(capacity), tokens: tokens.map(Double.init))
    (budget.retryCost, budget.timeoutCost) = (
      Self.thousandths(Double(retryCost)), Self.thousandths(Double(timeoutCost))
    )
    budget.reward = 1_000
    budget.refundsLastRetry = true
    return budget
  }

  /// The throttling of gRPC (proposal A6, `retryThrottling`): each failure takes one token, each success brings
  /// `tokenRatio`, and retries are allowed while more than half of the tokens are there.
  public static func throttling(maximumTokens: Double, tokenRatio: Double) -> RetryBudget {
    var budget = RetryBudget(capacity: maximumTokens)
    budget.failureCost = 1_000
    budget.reward = thousandths(tokenRatio)
    budget.threshold = budget.capacity / 2
    return budget
  }

  /// Retries may be a tenth of all requests, with a reserve of ten: see ``share(of:reserve:capacity:)``.
  public static let standard = share()

  // MARK: Inputs

  /// The tokens that one retry has taken.
  public struct Withdrawal: Hashable, Sendable {
    fileprivate var thousandths: Int
  }

  /// Notes that a request begins: its first attempt, which the budget always allows.
  public mutating func requestBegan() { add(deposit) }

  /// Notes that an attempt has failed in a way that could be retried.
  public mutating func attemptFailed() { add(-failureCost) }

  /// Takes the tokens for a retry.
  ///
  /// - Parameter hasTimedOut: Whether the failure was a timeout.
  /// - Returns: `nil` when the budget does not allow the retry. The tokens then stay.
  public mutating func withdraw(hasTimedOut: Bool = false) -> Withdrawal? {
    let cost = hasTimedOut ? timeoutCost : retryCost
    guard thousandths >= cost, thousandths > threshold else { return nil }
    thousandths -= cost
    return Withdrawal(thousandths: cost)
  }

  /// Notes that a request has succeeded.
  ///
  /// - Parameter lastRetry: The withdrawal for its last retry; `nil` when it had none.
  public mutating func requestSucceeded(after lastRetry: Withdrawal?) {
    if refundsLastRetry, let lastRetry { add(lastRetry.thousandths) } else { add(reward) }
  }

  private mutating func add(_ amount: Int) {
    thousandths = max(0, min(thousandths + amount, capacity))
  }
}
