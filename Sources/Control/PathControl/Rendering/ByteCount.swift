/// Sizes for people.
package enum ByteCount {
  /// A size with at most one digit behind the point, in binary units: `512 B`, `8.1 MiB`.
  package static func text(_ bytes: Int) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"]
    guard bytes >= 1_024 else { return "\(bytes) B" }
    var size = Double(bytes) / 1_024
    var unit = 0
    // A size that would be rounded to 1024.0 is 1.0 of the next unit.
    while size >= 1_023.95, unit < units.count - 1 {
      size /= 1_024
      unit += 1
    }
    let tenths = Int((size * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
