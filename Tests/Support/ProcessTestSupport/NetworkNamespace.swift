internal import SystemIO

/// The network namespaces that threads of the test process live in.
package enum NetworkNamespace {
  /// Runs the body with the calling thread inside a namespace, and takes the thread home again before it returns.
  ///
  /// A new thread lives in the namespace of its creator. A task that ends inside the namespace may make Dispatch add a
  /// thread to those that all tests share, and connections of that thread would go nowhere ever after.
  ///
  /// - Parameter name: The name of the namespace, as ip-netns(8) made it.
  package static func inside<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    try NetlinkOptions.enterNetworkNamespace("/run/netns/\(name)")
    let result = Result { try body() }
    // The namespace of the process is that of its first thread.
    try NetlinkOptions.enterNetworkNamespace("/proc/self/ns/net")
    return try result.get()
  }
}
