import SystemIO
import Testing

@Suite("Searching many bytes at a time")
struct BytesTests {
  private static func position(of byte: UInt8, in bytes: ArraySlice<UInt8>) -> Int? {
    Bytes.firstPosition(of: byte, in: bytes.span)
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
