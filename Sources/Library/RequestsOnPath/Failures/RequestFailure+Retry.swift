public import Foundation
public import Resilience

extension RequestFailure: FailureTraitsProviding, InterruptibleFailure {
  /// The properties of the failure that decide about a retry.
  public var failureTraits: FailureTraits {
    switch reason {
    case .offline: FailureTraits(.offline, isUnsent: isUnsent)
    case .connectionLost, .hostNotFound, .cannotConnect: FailureTraits(.transient, isUnsent: isUnsent)
    case .timedOut(.request): FailureTraits(.timedOut, isUnsent: isUnsent)
    case .circuitOpen(let time): FailureTraits(.permanent, isUnsent: true, retryAfter: time)
    case .cancelled: FailureTraits(.cancelled, isUnsent: isUnsent)
    case .other: FailureTraits(.unknown, isUnsent: isUnsent)
    // The total time is over, or the same request would fail again.
    case .timedOut(.resource), .requirementNotMet, .insecure, .captivePortal, .authenticationRequired, .invalidRequest,
      .invalidResponse, .unusableFile:
      FailureTraits(.permanent, isUnsent: isUnsent)
    }
  }

  /// The failure that stands for an interruption of a retry. If the retry had another failure before, its URL and path
  /// are kept.
  public init(_ interruption: RetryInterruption) {
    let last = interruption.underlying as? RequestFailure
    let reason: Reason =
      switch interruption.reason {
      case .cancelled: .cancelled
      case .attemptTimedOut: .timedOut(.request)
      case .timedOut: .timedOut(.resource)
      case .circuitOpen(let time): .circuitOpen(for: time)
      @unknown default: .other
      }
    self.init(reason, url: last?.url, path: last?.path ?? .unknown, underlying: interruption)
    if case .circuitOpen = reason { isUnsent = true }
  }
}

extension POSIXError: FailureTraitsProviding {
  /// The traits of the errno.
  public var failureTraits: FailureTraits { FailureTraits(errno: code.rawValue) }
}
