package import SystemIO

extension UnixSocket {
  /// Sends all bytes, waiting for room.
  package static func sendAll(_ bytes: [UInt8], over descriptor: Int32) throws(SystemError) {
    var sent = 0
    while sent < bytes.count {
      let count = try send(bytes, from: sent, over: descriptor)
      if count == 0 { try waitForRoom(on: descriptor) }
      sent += count
    }
  }
}
