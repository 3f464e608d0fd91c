extension [UInt8] {
  /// Writes an integer in host order at the offset.
  mutating func overwrite(at offset: Int, with value: UInt32) {
    for index in 0..<4 { self[offset + index] = UInt8(truncatingIfNeeded: value.littleEndian >> UInt32(8 * index)) }
  }

  /// Appends an integer in host order.
  mutating func append<Integer: FixedWidthInteger>(inHostOrder value: Integer) {
    for index in 0..<Integer.bitWidth / 8 { append(UInt8(truncatingIfNeeded: value.littleEndian >> (8 * index))) }
  }
}
