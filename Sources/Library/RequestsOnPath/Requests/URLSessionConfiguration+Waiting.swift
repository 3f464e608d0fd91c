public import FoundationNetworking

extension URLSessionConfiguration {
  /// Always false: Foundation on Linux does not wait for connectivity. A request with `requiring:` does.
  ///
  /// The property lets code for Apple's platforms compile, and setting it does nothing.
  @available(
    *, deprecated,
    message: """
      Foundation on Linux does not wait. Remove this, and call data(for:requiring: .connected), which waits for a path, \
      or pass RequestOptions(whenUnmet: .refuse) to fail without one.
      """
  )
  public var waitsForConnectivity: Bool {
    get { false }
    set {}
  }
}
