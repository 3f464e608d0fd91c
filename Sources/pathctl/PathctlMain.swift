internal import Glibc
internal import PathControl

/// Hands the arguments to `PathControl` and ends with its exit status.
@main
enum PathctlMain {
  static func main() {
    exit(PathControl.run(arguments: Array(CommandLine.arguments.dropFirst())))
  }
}
