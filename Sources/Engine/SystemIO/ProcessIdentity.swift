internal import Glibc

/// The identity of this process.
package enum ProcessIdentity {
  /// Its effective user.
  package static let user: UInt32 = geteuid()

  /// Whether it has `CAP_NET_ADMIN`, also if that is one to another network namespace alone; `true` when procfs cannot
  /// be read. Source: `CapEff` in `/proc/self/status`.
  package static var mayAdministerNetwork: Bool {
    let capability: UInt64 = 12
    let lines = ((try? Files.read("/proc/self/status")) ?? []).split(separator: UInt8(ascii: "\n"))
    guard let line = lines.first(where: { $0.starts(with: "CapEff:".utf8) }),
      let set = UInt64(String(decoding: line.dropFirst(7).filter { $0 > 0x20 }, as: UTF8.self), radix: 16)
    else { return true }
    return set & 1 << capability != 0
  }
}
