internal import ConnectivityCore
public import Foundation
internal import PathModel

/// The texts for users: plain sentences of PathMonitor, never those of the error below. A program can translate them
/// in a table `RequestsOnPath.strings` of its main bundle, whose keys are the English sentences with `%@` for names.
extension RequestFailure: LocalizedError {
  /// The failure, as a sentence.
  public var errorDescription: String? {
    switch reason {
    case .offline: FailureWords.sentence("There is no network connection.")
    case .requirementNotMet(let requirement): shortcoming(requirement)
    case .connectionLost: FailureWords.sentence("The network connection was lost.")
    case .timedOut(.request): FailureWords.sentence("The server took too long to answer.")
    case .timedOut(.resource): FailureWords.sentence("This took too long.")
    case .hostNotFound: server("The server \"%@\" was not found.", "The server was not found.")
    case .cannotConnect: server("The server \"%@\" cannot be reached.", "The server cannot be reached.")
    case .insecure:
      server(
        "There is no secure way to connect to the server \"%@\".", "There is no secure way to connect to the server.")
    case .captivePortal: FailureWords.sentence("This network wants you to sign in first.")
    case .authenticationRequired:
      server("The server \"%@\" wants to know who you are.", "The server wants to know who you are.")
    case .invalidRequest:
      url.map { FailureWords.sentence("The address \"%@\" cannot be opened.", $0.absoluteString) }
        ?? FailureWords.sentence("The address cannot be opened.")
    case .invalidResponse:
      server("The answer of the server \"%@\" cannot be understood.", "The answer of the server cannot be understood.")
    case .unusableFile: FailureWords.sentence("A file cannot be read or written.")
    case .cancelled: FailureWords.sentence("This was cancelled.")
    case .other: server("The request to the server \"%@\" failed.", "The request to the server failed.")
    }
  }

  /// The cause, as a sentence; `nil` when the description is enough.
  public var failureReason: String? {
    switch reason {
    case .offline, .connectionLost:
      path.isKnownUnsatisfied
        ? path.unsatisfiedReason.map { _ in FailureWords.sentence("The network path is gone: %@.", path.reasonInWords) }
        : nil
    case .timedOut(.resource):
      path.isKnownUnsatisfied ? FailureWords.sentence("There was no network connection in the end.") : nil
    case .requirementNotMet(let requirement):
      FailureWords.sentence("It requires a path that is \"%@\".", "\(requirement)")
    case .captivePortal where path.validation.state == .portal && underlying != nil:
      FailureWords.sentence("The network is known to ask for a sign-in.")
    case .captivePortal:
      FailureWords.sentence("A page came in place of the answer, as networks send it that ask for a sign-in.")
    case .invalidRequest where hasLiteralIPv6Host:
      FailureWords.sentence(
        "Foundation of Swift 6.3 and before opens no address with an IPv6 address in brackets; use the name of the host."
      )
    default: nil
    }
  }

  /// The advice for the user, as a sentence; `nil` when there is nothing to do.
  public var recoverySuggestion: String? {
    switch reason {
    case .offline: FailureWords.sentence("Check the network, and try again.")
    case .requirementNotMet: FailureWords.sentence("Connect to another network, and try again.")
    case .connectionLost, .timedOut, .cannotConnect: FailureWords.sentence("Try again later.")
    case .hostNotFound: FailureWords.sentence("Check the address for mistakes.")
    case .insecure:
      FailureWords.sentence(
        "If this network has a page to sign in, open it in a browser first. Check the date of this machine.")
    case .captivePortal(let url?):
      FailureWords.sentence("Open %@ in a browser, sign in, and try again.", url.absoluteString)
    case .captivePortal(nil): FailureWords.sentence("Open a page in a browser, sign in, and try again.")
    case .invalidRequest, .invalidResponse, .authenticationRequired, .unusableFile, .cancelled, .other: nil
    }
  }

  /// The quality of the path that the requirement misses, as a sentence.
  private func shortcoming(_ requirement: PathRequirement) -> String {
    switch requirement.shortcoming(of: path) {
    case .metered: FailureWords.sentence("The present network connection is metered.")
    case .guessedCost: FailureWords.sentence("The present network connection may be metered.")
    case .constrained: FailureWords.sentence("The present network connection is to be used sparingly.")
    case .otherKind, nil:
      FailureWords.sentence("The present network connection is not of the kind that this needs.")
    }
  }

  /// Whether the URL has an IPv6 address in place of a name, which Foundation fails to open.
  private var hasLiteralIPv6Host: Bool { url?.host?.contains(":") == true }

  /// A sentence about the server, with its name if that is known.
  private func server(_ named: String, _ unnamed: String) -> String {
    url?.host.map { FailureWords.sentence(named, $0) } ?? FailureWords.sentence(unnamed)
  }
}

extension RequestFailure.Reason: CustomStringConvertible {
  /// The reason in words, for logs and not for users.
  public var description: String {
    switch self {
    case .offline: "offline"
    case .requirementNotMet(let requirement): "the path is not '\(requirement)'"
    case .connectionLost: "connection lost"
    case .timedOut(let limit): "\(limit) timed out"
    case .hostNotFound: "host not found"
    case .cannotConnect: "cannot connect"
    case .insecure: "insecure"
    case .captivePortal(let page): page.map { "captive portal at \($0.absoluteString)" } ?? "captive portal"
    case .authenticationRequired: "authentication required"
    case .invalidRequest: "invalid request"
    case .invalidResponse: "invalid response"
    case .unusableFile: "unusable file"
    case .cancelled: "cancelled"
    case .other: "other"
    }
  }
}

extension RequestFailure.Timeout: CustomStringConvertible {
  /// The limit in words.
  public var description: String {
    switch self {
    case .request: "request"
    case .resource: "resource"
    }
  }
}

extension RequestFailure: CustomStringConvertible {
  /// The failure with all its details, for logs and not for users.
  public var description: String {
    var parts = ["\(reason)"]
    if let url { parts.append("at \(url.absoluteString)") }
    if let underlying { parts.append("(\(Self.words(underlying)))") }
    return parts.joined(separator: " ") + "; path: \(path)"
  }

  /// An error of Foundation with its domain and code, and any other with its own description: as an `NSError`, that
  /// would be a number.
  private static func words(_ error: any Error) -> String {
    guard type(of: error) is NSError.Type || error is any CustomNSError || error is any LocalizedError else {
      return "\(error)".inOneLine
    }
    let error = error as NSError
    return "\(error.domain) \(error.code): \(error.localizedDescription)"
  }
}
