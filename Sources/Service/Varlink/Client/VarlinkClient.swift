internal import Glibc
package import SystemIO

/// A client's end of a connection to a varlink service.
///
/// The service answers one call at a time. ``receive(until:)`` waits for a reply. If an event loop watches the
/// ``descriptor``, ``readReplies()`` returns replies as they come.
package final class VarlinkClient {
  /// The reason why there is no reply.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for code that reacts to it.
    package enum Kind: Hashable, Sendable {
      /// Nobody listens at the path.
      case notRunning
      /// The socket refuses us or fails.
      case refused
      /// No reply came in time.
      case timedOut
      /// The service has ended the connection.
      case disconnected
      /// The service sent bytes that are no varlink.
      case notVarlink
    }

    /// The kind of failure.
    package var kind: Kind
    /// The attempt and its outcome, without a full stop.
    package var description: String

    /// A failure with its kind and description.
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
  /// The reason why no more replies come.
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

  /// Whether the next call of ``readReplies()`` throws. A loop cannot notice this, as no more bytes need come.
  package var hasFailed: Bool { failure != nil }

  /// The descriptor that a loop watches for reading.
  package var descriptor: Int32 { socket.number }

  /// Sends a call. Several calls may be sent ahead; the replies come in the same order.
  ///
  /// A service may reply with an error before it ends the connection. In this case, nothing is thrown, and the error is
  /// the next reply.
  package func send(_ call: VarlinkCall) throws(Failure) {
    let frame = call.frame
    var sent = 0
    do throws(SystemError) {
      while sent < frame.count {
        let count = try UnixSocket.send(frame, from: sent, over: socket.number)
        // A call is small and the service reads, so there is room soon.
        if count == 0 { try UnixSocket.waitForRoom(on: socket.number) }
        sent += count
      }
    } catch {
      if hasHeard() { return }
      throw Failure(kind: .disconnected, description: "\(path) does not take calls: \(error.reason)")
    }
  }

  /// Whether bytes have arrived that were not returned yet.
  private func hasHeard() -> Bool {
    if reader.bytesHeld == 0 { _ = try? readOnce() }
    return reader.bytesHeld > 0
  }

  /// Waits for the next reply.
  ///
  /// - Parameter deadline: The end of the wait; `nil` for no limit.
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

  /// Returns the replies that have come, or the first of many. Never waits.
  ///
  /// Replies that came before a failure are returned; the next call throws the failure.
  package func readReplies() throws(Failure) -> [VarlinkReply] {
    var replies: [VarlinkReply] = []
    do throws(Failure) {
      // A service that sends as fast as we read must not keep us here for ever.
      for _ in 0..<64 {
        while let reply = try nextReply() { replies.append(reply) }
        // A read that does not fill the buffer has taken everything; the loop reports later replies.
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

  /// Records a failure after which nothing more is read.
  private func noted(_ kind: Failure.Kind, _ description: String) -> Failure {
    let failure = Failure(kind: kind, description: description)
    self.failure = failure
    return failure
  }

  /// Reads once, and returns the number of bytes.
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
