internal import Glibc
internal import PathModel
internal import SystemIO

/// The sockets that the daemon listens at: those of the service manager, or one of its own.
struct ListeningSockets: ~Copyable {
  /// The reason why the daemon cannot listen.
  struct Problem: Error, CustomStringConvertible {
    /// The problem and its remedy, in a sentence or two.
    let description: String
  }

  /// The sockets, which live as long as the process.
  let descriptors: [Int32]
  /// The file of our own socket; `nil` when the service manager handed sockets over.
  private let ownPath: String?
  private let ownIdentity: Files.Identity?

  /// Takes over the sockets that the service manager hands over.
  init(handedOver descriptors: [Int32]) {
    self.descriptors = descriptors
    ownPath = nil
    ownIdentity = nil
  }

  /// Listens at the path. The socket of a dead daemon is replaced; a living daemon is not disturbed.
  init(at path: String) throws(Problem) {
    guard path.utf8.count <= UnixSocket.longestPath else {
      throw Problem(
        description: "the path \(path) has more than \(UnixSocket.longestPath) bytes. Choose a shorter one.")
    }
    let directory = path.contains("/") ? Files.directory(of: path) : "."
    // If no service manager has prepared the usual directory, root can make it.
    if path == PathMonitorInterface.socketPath { try? Files.makeDirectory(directory) }
    guard Files.exists(directory) else {
      throw Problem(
        description: "cannot listen at \(path): there is no directory \(directory). Make it, or name another path.")
    }
    do throws(SystemError) {
      // The lock makes daemons that start at once check one after the other. Any user may hold it for ever, so the wait
      // has a limit. Beyond it, only daemons that start in the same moment can miss each other.
      let lock = try Files.lock(directory: directory, until: .now.advanced(by: Self.longestLock))
      try Self.clear(path)
      let socket = try UnixSocket.listen(at: path, mode: 0o666)
      _ = consume lock
      descriptors = [socket.release()]
    } catch {
      throw Self.problem(error, path)
    }
    ownPath = path
    ownIdentity = Files.Identity(path)
  }

  /// A daemon holds the lock for a few milliseconds.
  private static let longestLock = Duration.seconds(2)

  /// Removes a socket without a listener.
  private static func clear(_ path: String) throws(SystemError) {
    guard Files.Identity(path) != nil else { return }
    // connect(2) reports ECONNREFUSED for other files, too, not only for sockets without a listener.
    guard Files.isSocket(path) else { throw SystemError("something else", errorNumber: EEXIST) }
    do throws(SystemError) {
      let connection = try UnixSocket.connect(to: path)
      let peer = try PeerCredentials(of: connection.number)
      throw SystemError("pid \(peer.process)", errorNumber: EADDRINUSE)
    } catch {
      switch error.errorNumber {
      case ECONNREFUSED: Files.remove(path)
      case ENOENT: return
      case ENOTSOCK, EPROTOTYPE: throw SystemError("something else", errorNumber: EEXIST)
      default: throw error
      }
    }
  }

  private static func problem(_ error: SystemError, _ path: String) -> Problem {
    switch error.errorNumber {
    case EADDRINUSE where error.attempt.hasPrefix("pid"):
      Problem(
        description: """
          another daemon, \(error.attempt), listens at \(path) already. End it, or choose another path with --socket.
          """)
    case EAGAIN:
      Problem(description: "another daemon listens at \(path) already and is busy. End it, or choose another path.")
    case EEXIST:
      Problem(description: "cannot listen at \(path): something is there that is no stream socket. Remove it.")
    default: Problem(description: "\(error.description).")
    }
  }

  /// Removes our own socket, unless another daemon has replaced it.
  func remove() {
    guard let ownPath, let ownIdentity, Files.Identity(ownPath) == ownIdentity else { return }
    Files.remove(ownPath)
  }
}
