extension [UInt8] {
  /// Writes an integer in host order at the offset.
  mutating func overwrite(at offset: Int, with value: UInt32) {
    for index in 0..<4 {
      #if _endian(big)
        self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index))
      #else
        self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index))
      #endif
    }
  }
}
