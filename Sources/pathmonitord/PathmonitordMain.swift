internal import Glibc
internal import PathService

/// Hands the arguments to the daemon and ends with its exit status.
@main
enum PathmonitordMain {
  static func main() {
    exit(Daemon.run(arguments: Array(CommandLine.arguments.dropFirst())))
  }
}
