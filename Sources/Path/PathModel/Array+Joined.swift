extension [String] {
  /// The texts one after the other, with the separator between them.
  ///
  /// The standard library's function of this name asks the runtime whether an array is a collection, which takes a
  /// twentieth of the instructions of `pathctl status` (row `service-status`).
  package func joined(separator: String = "") -> String {
    var text = ""
    for (position, part) in enumerated() {
      if position > 0 { text += separator }
      text += part
    }
    return text
  }
}
