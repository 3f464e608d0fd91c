/// The cases of Alamofire's error that rules for HTTP statuses match, and one of each other kind.
public enum AFError: Error {
  /// Why a response is not acceptable.
  public enum ResponseValidationFailureReason: Sendable {
    /// There is no file with the data.
    case dataFileNil
    /// The status is not acceptable.
    case unacceptableStatusCode(code: Int)
  }

  /// Why parameters cannot be encoded.
  public enum ParameterEncodingFailureReason: Sendable {
    /// The request has no URL.
    case missingURL
  }

  case responseValidationFailed(reason: ResponseValidationFailureReason)
  case parameterEncodingFailed(reason: ParameterEncodingFailureReason)
}
