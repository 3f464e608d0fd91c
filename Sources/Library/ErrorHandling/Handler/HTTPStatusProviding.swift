/// An error that carries the status of an HTTP response.
public protocol HTTPStatusProviding: Error {
  /// The status, as 404; `nil` when no response came.
  var httpStatus: Int? { get }
}
