import SystemIO
import Testing

@Suite("Comparing and searching many bytes at a time")
struct BytesTests {
  private static func areEqual(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    Bytes.areEqual(one.span, other.span)
  }

  private static func position(of byte: UInt8, in bytes: ArraySlice<UInt8>) -> Int? {
    Bytes.firstPosition(of: byte, in: bytes.span)
  }

  @Test func `bytes are equal when all are, wherever they lie`() {
    let bytes: [UInt8] = [0, 1, 2, 0, 1, 2, 0xff]
    #expect(Self.areEqual(bytes[..<3], bytes[3..<6]))
    #expect(!Self.areEqual(bytes[..<3], bytes[3...]))
    #expect(!Self.areEqual(bytes[1..<3], bytes[5...]))
    for position in bytes.indices {
      var other = bytes
      other[position] ^= 0x80
      #expect(!Self.areEqual(bytes[...], other[...]))
    }
  }

  @Test func `nothing equals nothing`() {
    #expect(Self.areEqual([], []))
    #expect(!Self.areEqual([], [0]))
  }

  @Test func `the first of a byte is found`() {
    let bytes: [UInt8] = [7, 0, 0xff, 0]
    #expect(Self.position(of: 0, in: bytes[...]) == 1)
    #expect(Self.position(of: 0xff, in: bytes[...]) == 2)
    #expect(Self.position(of: 0, in: bytes[2...]) == 1)
    #expect(Self.position(of: 1, in: bytes[...]) == nil)
    #expect(Self.position(of: 0, in: []) == nil)
  }
}
