/// The reason why a source of paths does not work, or not as it should.
public struct PathSourceError: Error, Hashable, Sendable {
  /// The kind of failure, for code that must distinguish failures. More kinds may be added.
  public struct Code: Hashable, Sendable {
    private let name: String

    private init(_ name: String) { self.name = name }

    /// No program listens at the service's socket.
    public static let serviceNotRunning = Code("serviceNotRunning")
    /// The service's socket does not permit the connection.
    public static let permissionDenied = Code("permissionDenied")
    /// The service does not answer, or has ended the connection.
    public static let connectionLost = Code("connectionLost")
    /// The program that listens at the socket does not speak the protocol.
    public static let protocolMismatch = Code("protocolMismatch")
    /// The service answers with an error.
    public static let declined = Code("declined")
    /// The kernel cannot be asked.
    public static let kernelUnavailable = Code("kernelUnavailable")
    /// A file of the administrator's has a mistake. It is left out, or is used as it was before.
    public static let invalidConfiguration = Code("invalidConfiguration")
    /// The monitor names probes, but its source has its own.
    public static let probesNotUsed = Code("probesNotUsed")
    /// The requested simulation is not understood.
    public static let invalidSimulation = Code("invalidSimulation")
  }

  /// The kind of failure.
  public var code: Code
  /// The failed action and the reason, without a full stop.
  public var message: String
  /// The next step for the reader, as a sentence; `nil` when there is none.
  public var advice: String?

  /// A reply of the service that contains no path.
  package enum Reply: Hashable, Sendable {
    /// A reply that does not match the interface.
    case malformed
    /// An error, by its full name.
    case error(name: String)
  }

  /// The reply that led to the error; `nil` when there was none.
  package var reply: Reply?

  /// Creates an error.
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
