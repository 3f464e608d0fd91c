internal import Glibc

/// A lease on a file, as in fcntl(2): a process that opens the file waits until the lease ends, or gets EAGAIN.
package final class FileLease {
  private let descriptor: Int32

  /// Takes the lease; no other process may have the file open. Between fork and exec, a child of another test has all
  /// files open that this process has. The lease waits up to ten seconds for such children.
  package init?(on path: String) {
    // The kernel asks the holder with this signal to give the lease up.
    _ = signal(SIGIO, SIG_IGN)
    descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
    // F_SETLEASE, which Glibc shows to GNU programs only.
    guard descriptor >= 0 else { return nil }
    for _ in 0..<10_000 {
      if fcntl(descriptor, 1_024, Int32(F_WRLCK)) == 0 { return }
      guard errno == EAGAIN else { return nil }
      usleep(1_000)
    }
    return nil
  }

  /// Ends the lease. The file does not change, so a watch of it reports nothing.
  package func end() { _ = fcntl(descriptor, 1_024, Int32(F_UNLCK)) }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
