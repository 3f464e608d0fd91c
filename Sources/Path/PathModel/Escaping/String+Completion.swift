extension String {
  /// Whether the completion of a shell can offer the text: a candidate is one line, and it is shown on a terminal.
  package var isCompletable: Bool { !unicodeScalars.contains(where: \.garblesText) }

  /// Whether bash can insert the text as it is, without splitting or expanding it.
  package var isPlainForBash: Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "=", ".", ",", ":", "@": true
      default: false
      }
    }
  }

  /// The text as a candidate for `_describe` of zsh, which cuts it at a colon.
  package var describedForZsh: String {
    replacingScalars { $0 == ":" || $0 == "\\" ? "\\\($0)" : nil }
  }
}
