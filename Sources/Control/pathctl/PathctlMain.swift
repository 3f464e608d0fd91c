internal import Glibc
internal import PathControl

/// Ends with the exit status of `PathControl`.
@main
enum PathctlMain {
  static func main() {
    exit(PathControl.run())
  }
}
