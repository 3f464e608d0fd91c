internal import CProcessTestSupport
package import SystemIO

/// The network namespaces that threads of the test process live in.
package enum NetworkNamespace {
  /// Moves the calling thread into a namespace. The sockets and threads that it makes from now on are there.
  ///
  /// - Parameter name: The name of the namespace, as ip-netns(8) made it.
  package static func enter(_ name: String) throws(SystemError) { try enter(path: "/run/netns/\(name)") }

  /// Runs the body with the calling thread inside a namespace, and takes the thread home again before it returns.
  ///
  /// A new thread lives in the namespace of its creator. A task that ends inside the namespace may make Dispatch add a
  /// thread to those that all tests share, and connections of that thread would go nowhere ever after.
  package static func inside<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    try enter(name)
    let result = Result { try body() }
    // The namespace of the process is that of its first thread.
    try enter(path: "/proc/self/ns/net")
    return try result.get()
  }

  private static func enter(path: String) throws(SystemError) {
    try systemCall("enter \(path)") { unsafe cprocess_enter_network_namespace(path) }
  }
}
