/// Names that others may choose for an interface, a network or a file, and that an escape can get wrong.
package enum HostileNames {
  /// The signs that a shell, a browser, a spreadsheet, roff or a list of completions interprets.
  private static let signs = "'\"<>&$`\\;|=+-@,:()#~%!*?[]{}^. /"

  /// Each sign in the company of scalars with which it is one character of Swift: a combining mark behind it, and a
  /// letter before it that joins whatever follows.
  private static let joined = signs.unicodeScalars.flatMap { sign in
    ["\(sign)\u{301};echo RUN;#", "\u{D4E}\(sign)x", "a\(sign)\u{301}b\u{D4E}\(sign)", "\(sign)"]
  }

  /// Names of canonically equivalent texts. Each pair differs in bytes.
  package static let equivalent: [(String, String)] = [
    ("caf\u{E9}", "cafe\u{301}"), ("\u{212B}0", "\u{C5}0"), (";", "\u{37E}"), ("`", "\u{1FEF}"), ("K", "\u{212A}"),
    ("wl\u{1100}\u{1161}", "wl\u{AC00}"),
  ]

  /// Names that another program takes for something else.
  private static let meanings = [
    "$(echo RUN)", "`echo RUN`", "a';echo RUN;'", "';echo RUN;'", "\";echo RUN;\"", "\\';echo RUN;#", "a\\", "a\\\\b",
    "''", "\"\"", "x'\\''y", "%self", "~root", "-rf", "--", "=ls", "!!", "{a,b}", "*", "#", "&&echo RUN", "|echo RUN",
    "=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(1)", "a;=1+1", "a;\"=1+1", "\";=1+1", " =1+1", "\u{FF1D}1+1",
    "<script>alert(1)</script>", "\u{D4E}<svg onload=alert() \u{D4E}>", "\"\u{301} onload=alert(1) \u{301}\"", "&lt;",
    "</title>", "a:b", "a\\:b", ".TH X", "'br", "\\fB", "#[fg=red]", "\\u{1B}", "\\x41", "\u{FFFE}", "\u{FFFF}",
  ]

  /// Names with characters that garble a terminal.
  package static let garbling = [
    "a\r\nb", "\r\n", "a\tb", "a\u{1B}[2Jb", "\u{1B}]0;RUN\u{7}", "\u{9B}2J", "\u{85}x", "\u{7F}", "\u{1}=1+1",
    "\u{202E}evil", "a\u{2066}b\u{2069}", "\u{200F}", "\u{2028}x", "\u{2029}x", "\u{FEFF}=1+1", "\u{AD}x", "x\u{200B}y",
    "\u{E0041}x", "%s\u{1B}", "-n\u{1B}", "'\u{1B}';echo RUN;'",
  ]

  package static let all =
    joined + equivalent.flatMap { [$0.0, $0.1] } + meanings + garbling + ["\u{A0}x", "\u{3000}"]
}
