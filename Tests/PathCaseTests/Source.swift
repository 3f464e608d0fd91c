/// The source of the path for the programs under test.
enum Source: String, CaseIterable, Sendable {
  /// From the kernel, each on its own.
  case kernel
  /// From a daemon in the case's namespace.
  case service
}
