internal import ErrorHandling
public import Foundation
public import Resilience
internal import SystemIO

extension RequestFailure: FailureTraitsProviding, InterruptibleFailure {
  /// The properties of the failure that decide about a retry.
  public var failureTraits: FailureTraits {
    switch reason {
    case .offline, .requirementNotMet: FailureTraits(.offline, isUnsent: isUnsent)
    case .connectionLost, .hostNotFound: FailureTraits(.transient, isUnsent: isUnsent)
    // A refusal is an answer, and silence is none.
    case .cannotConnect: FailureTraits(.transient, isUnsent: isUnsent, isAnswer: traitsBelow.isAnswer)
    case .timedOut: FailureTraits(.timedOut, isUnsent: isUnsent)
    case .cancelled: FailureTraits(.cancelled, isUnsent: isUnsent)
    case .other: FailureTraits(traitsBelow.kind, isUnsent: isUnsent)
    // The same request would fail again.
    case .insecure, .captivePortal, .authenticationRequired, .invalidRequest, .invalidResponse, .unusableFile:
      FailureTraits(.permanent, isUnsent: isUnsent)
    }
  }

  private var traitsBelow: FailureTraits { FailureTraits(underlying.flatMap { ErrorMeaning(amongCausesOf: $0) }) }

  /// The failure that stands for an interruption of a retry. If the retry had another failure before, its URL and path
  /// are kept.
  public init(_ interruption: RetryInterruption) {
    let last = interruption.underlying as? RequestFailure
    let reason: Reason =
      switch interruption.reason {
      case .cancelled: .cancelled
      case .attemptTimedOut: .timedOut(.request)
      case .timedOut: .timedOut(.resource)
      @unknown default: .other
      }
    self.init(
      reason, url: last?.url, path: last?.path ?? interruption.path, underlying: interruption,
      isUnsent: interruption.isUnsent)
  }
}

extension POSIXError: FailureTraitsProviding {
  /// The traits of the errno.
  public var failureTraits: FailureTraits { FailureTraits(errno: code.rawValue) }
}

extension URLError: FailureTraitsProviding {
  /// The traits of the code. On Linux, `unknown` stands for most failures of a transfer, and may be gone soon.
  public var failureTraits: FailureTraits { FailureTraits(ErrorMeaning(of: self)) }
}
