internal import PathDecisions
internal import PathModel
internal import SystemIO

/// The devices below the PPP links of PPPoE sessions, from the kernel's list of sessions (`/proc/net/pppoe`).
///
/// The kernel does not say which PPP link belongs to which session. If all sessions are on one device, and no PPP link
/// is without a session, that device is below each of them.
struct PPPoELines {
  private let path: String
  /// The name of the device of all sessions.
  private var device = ""
  /// The PPP links that rest on ``device``.
  private var links: Set<Int32> = []

  /// The largest list that is read, in bytes, and the most PPP links for which it is. More belong to a server of PPP.
  private static let (largest, mostLinks) = (1 << 16, 64)

  init(_ path: String) { self.path = path }

  /// The name of the device below the PPP link; `nil` when it is not known.
  subscript(link: Int32) -> String? { links.contains(link) ? device : nil }

  /// Reads the sessions again if there is any PPP link.
  ///
  /// A device that is switched off or removed ends its sessions at once, but the PPP links live until their program
  /// notices. So links keep their device when the list is empty.
  mutating func update(_ present: [Int32]) {
    links.formIntersection(present)
    guard !present.isEmpty else { return }
    guard present.count <= Self.mostLinks, let bytes = try? Files.read(path, limit: Self.largest),
      bytes.count < Self.largest
    else {
      links = []
      return
    }
    let devices = Self.devices(in: bytes)
    guard let first = devices.first else { return }
    let isClear = devices.allSatisfy { $0.utf8.elementsEqual(first.utf8) } && present.count <= devices.count
    (device, links) = (first, isClear ? Set(present) : [])
  }

  /// The devices of the sessions, one for each.
  ///
  /// A line has the number of the session in 8 digits and the address of the other end in 17 characters. The name of
  /// the device follows, at the right of at least 8 columns. The first line is a header. Lines of another form are left
  /// out.
  static func devices(in bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let line = Array(line)
      guard line.count > 27, line[8] == UInt8(ascii: " "), line[26] == UInt8(ascii: " "),
        line[9..<26].indices.allSatisfy({ ($0 - 9) % 3 != 2 || line[$0] == UInt8(ascii: ":") })
      else { return nil }
      let name = line[27...].drop { $0 == UInt8(ascii: " ") }
      return name.isEmpty || name.count > 15 ? nil : String(nameBytes: Array(name))
    }
  }
}
