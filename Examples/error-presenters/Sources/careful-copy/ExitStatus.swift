import ErrorHandling

/// The statuses of the program, from sysexits(3).
enum ExitStatus: Int32 {
  case success = 0
  case usage = 64
  case dataError = 65
  case unavailable = 69
  case softwareError = 70
  case temporaryFailure = 75
  case protocolError = 76
  case notPermitted = 77
  /// As a shell reports a program that SIGINT ended.
  case interrupted = 130

  /// The status for an error that was not recovered.
  init(of error: (any Error)?) {
    switch error.map({ ErrorCategory(of: $0) }) {
    case .userMistake?: self = .dataError
    case .offline?: self = .unavailable
    case .retryable?: self = .temporaryFailure
    case .needsUpdate?: self = .protocolError
    case .needsSignIn?: self = .notPermitted
    case .cancelled?: self = .interrupted
    default: self = .softwareError
    }
  }
}
