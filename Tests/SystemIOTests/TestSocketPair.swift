import Glibc
import SystemIO

/// Two connected sockets that are closed with it.
final class TestSocketPair {
  let left: Int32
  private let right: Int32

  init() throws {
    var numbers: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try systemCall("make a pair of sockets") { unsafe socketpair(AF_UNIX, kind, 0, &numbers) }
    (left, right) = (numbers[0], numbers[1])
  }

  deinit {
    close(left)
    close(right)
  }
}
