internal import Glibc
internal import PathSubscribers
internal import Programs
internal import Validation

/// The program that asks whether the Internet answers. So neither pathctl nor the service links libcurl.
@main
enum PathmonitorValidationMain {
  // Look-ups of names that nobody awaits any more may still run, and exit(3) would take libraries away from them.
  static func main() { _exit(Program.run { ValidationProgram.run(arguments: $0) }) }
}
