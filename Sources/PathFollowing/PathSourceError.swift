/// Why a source of paths does not work, or not as it should.
public struct PathSourceError: Error, Hashable, Sendable {
  /// The kind of failure, for code that must tell them apart. More kinds may be added.
  public struct Code: Hashable, Sendable {
    private let name: String

    private init(_ name: String) { self.name = name }

    /// Nobody listens at the service's socket.
    public static let serviceNotRunning = Code("serviceNotRunning")
    /// The service's socket refuses us.
    public static let permissionDenied = Code("permissionDenied")
    /// The service does not answer, or has ended the connection.
    public static let connectionLost = Code("connectionLost")
    /// What listens at the socket does not speak the protocol.
    public static let protocolMismatch = Code("protocolMismatch")
    /// The service answers, but with an error.
    public static let declined = Code("declined")
    /// The kernel cannot be asked.
    public static let kernelUnavailable = Code("kernelUnavailable")
    /// A file of the administrator's has a mistake: it is left out, or counts as it was before.
    public static let invalidConfiguration = Code("invalidConfiguration")
    /// The monitor names probes, and its source has its own.
    public static let probesNotUsed = Code("probesNotUsed")
    /// A simulation was asked for that is not understood.
    public static let invalidSimulation = Code("invalidSimulation")
  }

  /// The kind of failure.
  public var code: Code
  /// What was attempted and what happened, without a full stop.
  public var message: String
  /// What the reader can do next, as a sentence; `nil` when there is nothing to do.
  public var advice: String?

  /// A reply of the service that holds no path.
  package enum Reply: Hashable, Sendable {
    /// A reply that is not what the interface says.
    case malformed
    /// An error, by its full name.
    case error(name: String)
  }

  /// The reply that led to the error; `nil` when there was none.
  package var reply: Reply?

  /// An error as given.
  public init(_ code: Code, message: String, advice: String? = nil) {
    self.code = code
    self.message = message
    self.advice = advice
  }
}

extension PathSourceError: CustomStringConvertible {
  /// The message, and the advice after it.
  public var description: String { advice.map { "\(message). \($0)" } ?? message }
}
