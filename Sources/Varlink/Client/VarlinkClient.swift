internal import Glibc
package import SystemIO

/// A client's end of a connection to a varlink service.
///
/// One call at a time is under way. Replies are waited for with ``receive(until:)``, or taken as they come with
/// ``takeReplies()`` where an event loop watches the ``descriptor``.
package final class VarlinkClient {
  /// Why there is no reply.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for code that must tell them apart.
    package enum Kind: Hashable, Sendable {
      /// Nobody listens at the path.
      case notRunning
      /// The socket refuses us, or something is wrong with it.
      case refused
      /// No reply came in time.
      case timedOut
      /// The service has ended the connection.
      case disconnected
      /// What came is no varlink.
      case notVarlink
    }

    /// The kind of failure.
    package var kind: Kind
    /// What was attempted and what happened, without a full stop.
    package var description: String

    /// A failure as given.
    package init(kind: Kind, description: String) {
      self.kind = kind
      self.description = description
    }
  }

  /// The largest reply that is accepted, in bytes.
  private static let limit = 16 << 20

  private let path: String
  private let socket: OwnedDescriptor
  private var reader = FrameReader(limit: VarlinkClient.limit)
  private var buffer = [UInt8](repeating: 0, count: 16_384)
  /// Why no more replies come.
  private var failure: Failure?

  /// Connects to the service that listens at the path.
  ///
  /// - Parameter deadline: How long to wait while more clients wait for the service than there can be.
  package init(connectingTo path: String, until deadline: MonotonicInstant? = nil) throws(Failure) {
    self.path = path
    do throws(SystemError) {
      socket = try UnixSocket.connect(to: path, until: deadline)
    } catch {
      let isAbsent = [ENOENT, ECONNREFUSED, ENOTDIR].contains(error.errorNumber)
      throw Failure(kind: isAbsent ? .notRunning : .refused, description: error.description)
    }
  }

  /// Whether the next call of ``takeReplies()`` throws: no loop notices that, as nothing more need come.
  package var hasFailed: Bool { failure != nil }

  /// What a loop watches for reading.
  package var descriptor: Int32 { socket.number }

  /// Sends a call. Several may be sent ahead; the replies come in the same order.
  ///
  /// A service that has ended the connection may have said why before: then nothing is thrown here, and that is the
  /// next reply.
  package func send(_ call: VarlinkCall) throws(Failure) {
    let frame = call.frame
    var sent = 0
    do throws(SystemError) {
      while sent < frame.count {
        let count = try UnixSocket.send(frame, from: sent, over: socket.number)
        // A call is small, and the other side reads: there is room soon.
        if count == 0 { try UnixSocket.waitForRoom(on: socket.number) }
        sent += count
      }
    } catch {
      if hasHeard() { return }
      throw Failure(kind: .disconnected, description: "\(path) does not take calls: \(error.reason)")
    }
  }

  /// Whether there is something that has not been returned yet.
  private func hasHeard() -> Bool {
    if reader.bytesHeld == 0 { _ = try? readOnce() }
    return reader.bytesHeld > 0
  }

  /// Waits for the next reply.
  ///
  /// - Parameter deadline: How long; `nil` for as long as it takes.
  package func receive(until deadline: MonotonicInstant?) throws(Failure) -> VarlinkReply {
    while true {
      if let reply = try nextReply() { return reply }
      do throws(SystemError) {
        guard try UnixSocket.waitForInput(from: socket.number, until: deadline) else {
          throw SystemError("wait for a reply", errorNumber: ETIMEDOUT)
        }
      } catch {
        throw Failure(kind: .timedOut, description: "\(path) does not answer: \(error.reason)")
      }
      try readOnce()
    }
  }

  /// The replies that have come, or the first of many; never waits.
  ///
  /// What came before a failure counts: the failure is thrown by the next call.
  package func takeReplies() throws(Failure) -> [VarlinkReply] {
    var replies: [VarlinkReply] = []
    do throws(Failure) {
      // A service that sends as fast as we read does not keep us here for ever.
      for _ in 0..<64 {
        while let reply = try nextReply() { replies.append(reply) }
        // A buffer that was not filled was all there is; the loop reports later replies.
        if try readOnce() < buffer.count { break }
      }
      while let reply = try nextReply() { replies.append(reply) }
    } catch {
      if replies.isEmpty { throw error }
    }
    return replies
  }

  /// The next reply that has been read.
  private func nextReply() throws(Failure) -> VarlinkReply? {
    if let failure { throw failure }
    let frame: ArraySlice<UInt8>?
    do throws(FrameReader.FrameTooLong) {
      frame = try reader.next()
    } catch {
      throw noted(.notVarlink, "\(path) sent a reply of more than \(error.limit) bytes")
    }
    guard let frame else { return nil }
    do throws(VarlinkProtocolError) {
      return try VarlinkReply(parsing: frame)
    } catch {
      throw noted(.notVarlink, "\(path) does not speak varlink: \(error)")
    }
  }

  /// A failure after which nothing more is read.
  private func noted(_ kind: Failure.Kind, _ description: String) -> Failure {
    let failure = Failure(kind: kind, description: description)
    self.failure = failure
    return failure
  }

  /// Returns how many bytes were read.
  @discardableResult
  private func readOnce() throws(Failure) -> Int {
    if let failure { throw failure }
    do throws(SystemError) {
      switch try UnixSocket.receive(into: &buffer, from: socket.number) {
      case .bytes(let count):
        reader.append(buffer[..<count])
        return count
      case .nothing: return 0
      case .end: throw SystemError("read", errorNumber: ECONNRESET)
      }
    } catch {
      throw noted(.disconnected, "\(path) has ended the connection: \(error.reason)")
    }
  }
}
