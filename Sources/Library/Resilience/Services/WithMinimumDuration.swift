internal import SystemIO

/// Runs the body, and returns no sooner than after a minimum time.
///
/// A request fails at once without a network. A page that shows the failure for no time at all flickers, and a user who
/// tries again at once sends requests as fast as they fail:
///
/// ```swift
/// let page = try await withMinimumDuration(.milliseconds(500)) { try await load() }
/// ```
///
/// A body that takes longer is not delayed. If the task is cancelled, the rest of the time is not waited for.
///
/// - Parameters:
///   - minimum: The minimum time.
///   - clock: The clock that measures the time.
///   - isolation: The actor that the body runs on; the caller's by default.
///   - body: The work.
/// - Returns: The value that the body returns.
/// - Throws: The error that the body throws, after the minimum time, too.
public func withMinimumDuration<Value, Failure: Error, C: Clock>(
  _ minimum: Duration, clock: C = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws(Failure) -> Value
) async throws(Failure) -> Value where C.Duration == Duration {
  let end = clock.now.after(minimum)
  let result: Result<Value, Failure>
  do throws(Failure) {
    result = .success(try await body())
  } catch {
    result = .failure(error)
  }
  if clock.now < end { try? await clock.sleep(until: end, tolerance: nil) }
  return try result.get()
}
