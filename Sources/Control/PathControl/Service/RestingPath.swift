internal import PathFollowing
internal import PathModel
internal import SystemIO

/// Waits for a path that has not changed for some time.
///
/// The service has followed the path before, so a path that has rested already is not waited for.
enum RestingPath {
  /// Waits for the path of the service that listens at the socket, at most for the settle time or a second, if that is
  /// longer.
  static func wait(_ socket: String, _ settle: Duration) throws(PathSourceError) {
    let client = try ServiceClient(socket)
    var rest = PathRest(settle: settle, at: .now)
    var path = try client.follow()
    while true {
      // The time of an update is that of the evaluation which found the change.
      let age = Duration.microseconds(boottimeMicroseconds() - path.boottimeMicroseconds)
      rest.observe(age: age, at: .now)
      guard MonotonicInstant.now < rest.end, let next = try client.nextPath(until: rest.end) else { return }
      path = next
    }
  }
}
