internal import Glibc

/// Repeats until the condition holds, looking again at most every 20 ms; `false` when time is up.
///
/// - Parameter descriptor: Looked at again as soon as it is readable.
package func becomesTrue(
  within limit: Duration = .seconds(5), watching descriptor: Int32? = nil, _ condition: () throws -> Bool
) rethrows -> Bool {
  let deadline = ContinuousClock.now + limit
  while true {
    if try condition() { return true }
    if ContinuousClock.now >= deadline { return false }
    _ = isReadable(descriptor, within: .milliseconds(20))
  }
}

/// Waits until there is something to read; `false` when time is up.
///
/// Without a descriptor it only waits.
package func isReadable(_ descriptor: Int32?, within limit: Duration) -> Bool {
  var request = pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0)
  return unsafe poll(&request, 1, Int32(limit / .milliseconds(1))) > 0
}
