import CMicroHTTPD
import Synchronization

/// The open event streams, in the format of `EventSource` in browsers.
///
/// A stream holds one waiting event: a slow reader gets the newest report, and delays no other reader. A stream that
/// has nothing to send suspends its connection, which costs nothing.
final class EventStreams: Sendable {
  /// The greatest number of open streams.
  static let limit = 32

  /// A connection of libmicrohttpd. Suspending and resuming one is allowed on any thread.
  fileprivate struct Connection: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  fileprivate struct Stream {
    var connection: Connection
    var isSuspended = false
    /// The rest of an event that is not sent yet.
    var rest: ArraySlice<UInt8> = []
    /// Whether a report waits that is newer than the one being sent.
    var hasNews = true
  }

  private struct State {
    var report = ""
    var streams: [Int: Stream] = [:]
    var opened = 0
    var isEnded = false
  }

  private let state = Mutex(State())

  /// The newest report.
  var report: String { state.withLock { $0.report } }

  /// Sends a report to all streams, and to later ones, unless it equals the one before.
  func publish(_ report: String) {
    state.withLock { state in
      guard report != state.report else { return }
      state.report = report
      for number in state.streams.keys {
        state.streams[number]?.hasNews = true
        state.streams[number]?.resume()
      }
    }
  }

  /// Sends a sign of life to all idle streams. With it the page notices a lost server, and the server a lost page.
  func sendSignOfLife() {
    state.withLock { state in
      for (number, stream) in state.streams where stream.isSuspended {
        state.streams[number]?.rest = Array("event: alive\ndata:\n\n".utf8)[...]
        state.streams[number]?.resume()
      }
    }
  }

  /// Ends all streams, and every later one at once.
  func end() {
    state.withLock { state in
      state.isEnded = true
      for number in state.streams.keys { state.streams[number]?.resume() }
    }
  }

  /// Begins a stream.
  ///
  /// - Returns: The response to the request; `nil` if there are too many streams.
  func open(on connection: OpaquePointer) -> OpaquePointer? {
    let connection = Connection(pointer: connection)
    let number = state.withLock { state -> Int? in
      guard state.streams.count < Self.limit else { return nil }
      state.opened += 1
      state.streams[state.opened] = Stream(connection: connection)
      return state.opened
    }
    guard let number else { return nil }
    let reader = Unmanaged.passRetained(StreamReader(streams: self, number: number)).toOpaque()
    return MHD_create_response_from_callback(
      unknown_size, 4096,
      { reader, _, buffer, capacity in
        guard let reader, let buffer else { return Int(end_of_stream) }
        let target = UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
        return Unmanaged<StreamReader>.fromOpaque(reader).takeUnretainedValue().read(into: target)
      }, reader,
      { reader in
        if let reader { Unmanaged<StreamReader>.fromOpaque(reader).takeRetainedValue().close() }
      })
  }

  /// Called by libmicrohttpd when the connection can take bytes.
  fileprivate func read(_ number: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      guard !state.isEnded, var stream = state.streams[number] else { return Int(end_of_stream) }
      if stream.rest.isEmpty, stream.hasNews {
        stream.hasNews = false
        stream.rest = Array("event: report\ndata: \(state.report)\n\n".utf8)[...]
      }
      let count = min(buffer.count, stream.rest.count)
      if count > 0 {
        buffer.copyBytes(from: stream.rest.prefix(count))
        stream.rest = stream.rest.dropFirst(count)
      } else {
        MHD_suspend_connection(stream.connection.pointer)
        stream.isSuspended = true
      }
      state.streams[number] = stream
      return count
    }
  }

  fileprivate func close(_ number: Int) {
    state.withLock { state in _ = state.streams.removeValue(forKey: number) }
  }
}

extension EventStreams.Stream {
  fileprivate mutating func resume() {
    guard isSuspended else { return }
    isSuspended = false
    MHD_resume_connection(connection.pointer)
  }
}

/// One stream, as libmicrohttpd holds it.
private final class StreamReader: Sendable {
  let streams: EventStreams
  let number: Int

  init(streams: EventStreams, number: Int) {
    self.streams = streams
    self.number = number
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { streams.read(number, into: buffer) }

  func close() { streams.close(number) }
}
