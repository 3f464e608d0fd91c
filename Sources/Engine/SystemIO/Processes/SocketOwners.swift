/// The processes that have sockets open, as far as procfs shows them to this user.
package enum SocketOwners {
  /// A process with a socket.
  package struct Owner: Hashable, Sendable {
    /// Its number.
    package let process: Int32
    /// The name of its program, which it may choose itself: 15 bytes at most.
    package let program: String
  }

  /// The first process found for each of these sockets, by the number of the socket among the files.
  package static func owners(of sockets: Set<UInt32>) -> [UInt32: Owner] {
    var owners: [UInt32: Owner] = [:]
    if sockets.isEmpty { return owners }
    let names = (try? Files.entries(of: "/proc")) ?? []
    for process in names.compactMap({ Int32($0) }).sorted() where owners.count < sockets.count {
      var program: String?
      for name in (try? Files.entries(of: "/proc/\(process)/fd")) ?? [] {
        guard let target = Files.linkTarget("/proc/\(process)/fd/\(name)"), let socket = socket(target),
          sockets.contains(socket), owners[socket] == nil
        else { continue }
        program = program ?? self.program(of: process)
        owners[socket] = Owner(process: process, program: program ?? "?")
      }
    }
    return owners
  }

  /// The number in `socket:[NUMBER]`.
  private static func socket(_ target: String) -> UInt32? {
    let prefix = "socket:["
    guard target.hasPrefix(prefix) else { return nil }
    return UInt32(target.dropFirst(prefix.count).dropLast())
  }

  private static func program(of process: Int32) -> String? {
    guard let name = try? Files.read("/proc/\(process)/comm", limit: 64) else { return nil }
    return String(decoding: name.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
