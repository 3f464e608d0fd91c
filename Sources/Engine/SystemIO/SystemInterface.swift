internal import Glibc

/// The names and indices of the network interfaces in this thread's namespace.
package enum SystemInterface {
  /// The index of the interface with the name; `nil` if there is none. See if_nametoindex(3).
  package static func index(of name: String) -> UInt32? {
    let index = unsafe if_nametoindex(name)
    return index == 0 ? nil : index
  }

  /// The name of the interface with the index; `nil` if there is none. See if_indextoname(3).
  package static func name(of index: UInt32) -> String? {
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard unsafe if_indextoname(index, &name) != nil else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
