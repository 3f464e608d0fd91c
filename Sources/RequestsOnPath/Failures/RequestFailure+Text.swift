internal import ConnectivityCore
public import Foundation
internal import PathModel

/// The texts for users: plain sentences of PathMonitor, never those of the error below.
extension RequestFailure: LocalizedError {
  /// The failure, as a sentence.
  public var errorDescription: String? {
    switch reason {
    case .offline: "There is no network connection."
    case .requirementNotMet(let requirement) where requirement.dependsOnCost && path.status == .satisfied:
      "The present network connection may cost money, or is to be used sparingly."
    case .requirementNotMet: "The present network connection is not of the kind that this needs."
    case .connectionLost: "The network connection was lost."
    case .timedOut(.request): "The server took too long to answer."
    case .timedOut(.resource): "This took too long."
    case .hostNotFound: "The server\(quotedHost) was not found."
    case .cannotConnect: "The server\(quotedHost) cannot be reached."
    case .insecure: "There is no secure way to connect to the server\(quotedHost)."
    case .authenticationRequired: "The server\(quotedHost) wants to know who you are."
    case .invalidRequest: "The address\(quotedURL) cannot be opened."
    case .invalidResponse: "The answer of the server\(quotedHost) cannot be understood."
    case .unusableFile: "A file cannot be read or written."
    case .cancelled: "This was cancelled."
    case .other: "The request to the server\(quotedHost) failed."
    }
  }

  /// The cause, as a sentence; `nil` when the description is enough.
  public var failureReason: String? {
    switch reason {
    case .offline, .connectionLost:
      path.isKnownUnsatisfied ? path.unsatisfiedReason.map { "The network path is gone: \($0.words)." } : nil
    case .timedOut(.resource): path.isKnownUnsatisfied ? "There was no network connection in the end." : nil
    case .requirementNotMet(let requirement): "It requires a path that is \"\(requirement)\"."
    case .invalidRequest where hasLiteralIPv6Host:
      "Foundation of Swift 6.3 and before opens no address with an IPv6 address in brackets; use the name of the host."
    default: nil
    }
  }

  /// The advice for the user, as a sentence; `nil` when there is nothing to do.
  public var recoverySuggestion: String? {
    switch reason {
    case .offline: "Check the network, and try again."
    case .requirementNotMet: "Connect to another network, and try again."
    case .connectionLost, .timedOut, .cannotConnect: "Try again later."
    case .hostNotFound: "Check the address for mistakes."
    case .insecure: "If this network has a page to sign in, open it in a browser first. Check the date of this machine."
    case .invalidRequest, .invalidResponse, .authenticationRequired, .unusableFile, .cancelled, .other: nil
    }
  }

  /// Whether the URL has an IPv6 address in place of a name, which Foundation fails to open.
  private var hasLiteralIPv6Host: Bool { url?.host?.contains(":") == true }

  private var quotedHost: String { url?.host.map { " \"\($0)\"" } ?? "" }
  private var quotedURL: String { url.map { " \"\($0.absoluteString)\"" } ?? "" }
}

extension RequestFailure: CustomStringConvertible {
  /// The failure with all its details, for logs and not for users.
  public var description: String {
    var parts = ["\(reason)"]
    if let url { parts.append("at \(url.absoluteString)") }
    if let underlying {
      let error = underlying as NSError
      parts.append("(\(error.domain) \(error.code): \(error.localizedDescription))")
    }
    return parts.joined(separator: " ") + "; path: \(path)"
  }
}
