internal import Glibc
internal import PathService

/// Ends with the exit status of the daemon.
@main
enum PathmonitordMain {
  static func main() {
    exit(Daemon.run())
  }
}
