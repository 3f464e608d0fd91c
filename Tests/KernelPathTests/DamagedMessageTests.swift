import PathModel
import Testing

@testable import KernelPath

@Suite("Damaged messages")
struct DamagedMessageTests {
  @Test(arguments: CapturedMessage.all)
  func `every truncation of a datagram within a message throws`(captured: CapturedMessage) throws {
    let boundaries = Self.messageStarts(in: captured.bytes)
    for length in 1..<captured.bytes.count where !boundaries.contains(length) {
      #expect(throws: NetlinkDecodingError.self, "cut to \(length) bytes") {
        try DecodedMessage.all(in: Array(captured.bytes[..<length]))
      }
    }
    #expect(try DecodedMessage.all(in: []).isEmpty)
  }

  @Test(arguments: CapturedMessage.all)
  func `a message that ends within its structure or an attribute throws, else it decodes`(
    captured: CapturedMessage
  ) throws {
    let message = Array(captured.bytes[..<Int(Self.length(at: 0, in: captured.bytes))])
    guard let fixedLength = Self.fixedLengths[message[4]] else { return }
    let cuts = Self.attributeCuts(in: message, from: 16 + fixedLength)
    for length in 16..<message.count {
      let cut = MessageBuilder.bytes(UInt32(length)) + message[4..<length]
      if length < 16 + fixedLength || cuts.contains(length) {
        #expect(throws: NetlinkDecodingError.self, "cut to \(length) bytes") { try DecodedMessage.all(in: cut) }
      } else {
        #expect(throws: Never.self, "cut to \(length) bytes") { try DecodedMessage.all(in: cut) }
      }
    }
  }

  @Test(arguments: CapturedMessage.all)
  func `no change of a byte traps, though only some changes of a long message are tried`(captured: CapturedMessage) {
    var bytes = captured.bytes
    let differences: [UInt8] = bytes.count > 500 ? [1, 4, 32, 128, 255] : Array(1...255)
    for index in bytes.indices {
      let original = bytes[index]
      for difference in differences {
        bytes[index] = original ^ difference
        _ = try? DecodedMessage.all(in: bytes)
      }
      bytes[index] = original
    }
  }

  @Test(arguments: [(16, "ifinfomsg", 16), (32, "fib_rule_hdr", 12)])
  func `an error names the structure, the missing bytes and the place`(type: Int, name: String, needed: Int) throws {
    let bytes = MessageBuilder.message(type, [2, 0, 0])
    let error = try #require(throws: NetlinkDecodingError.self) { try DecodedMessage.all(in: bytes) }
    #expect(error.description == "cannot decode \(name): needs \(needed) bytes, has 3 (at byte 16)")
  }

  @Test(arguments: [UInt32(0), 15, 17, 0x7fff_ffff, .max])
  func `a message whose length is too small or too large throws`(length: UInt32) {
    let bytes = MessageBuilder.bytes(length) + MessageBuilder.message(16, [])[4...]
    #expect(throws: NetlinkDecodingError.self) { try DecodedMessage.all(in: bytes) }
  }

  @Test func `an attribute shorter than its header throws instead of being read for ever`() {
    let header = MessageBuilder.linkHeader(index: 1, flags: 0)
    for length: UInt16 in 0..<4 {
      let attribute = MessageBuilder.bytes(length) + MessageBuilder.bytes(UInt16(3))
      #expect(throws: NetlinkDecodingError.self) {
        try DecodedMessage.all(in: MessageBuilder.message(16, header + attribute))
      }
    }
  }

  /// The length of the structure before the attributes, by the low byte of the message's type.
  private static let fixedLengths: [UInt8: Int] = [
    16: 16, 17: 16, 20: 8, 21: 8, 24: 12, 25: 12, 28: 12, 32: 12, 33: 12,
  ]

  private static func length(at offset: Int, in bytes: [UInt8]) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
  }

  private static func messageStarts(in bytes: [UInt8]) -> Set<Int> {
    var starts: Set<Int> = []
    var offset = 0
    while offset < bytes.count {
      starts.insert(offset)
      offset += Int(length(at: offset, in: bytes) + 3) & ~3
    }
    return starts
  }

  /// The lengths at which the message ends within an attribute of the top level, behind its header.
  private static func attributeCuts(in message: [UInt8], from start: Int) -> Set<Int> {
    var cuts: Set<Int> = []
    var offset = start
    while offset + 4 <= message.count {
      let length = Int(message[offset]) | Int(message[offset + 1]) << 8
      cuts.formUnion(offset + 4..<offset + length)
      offset += (length + 3) & ~3
    }
    return cuts
  }
}
