internal import Glibc
internal import PathSubscribers
internal import Programs
internal import Validation

/// The program that asks whether the Internet answers. So neither pathctl nor the service links libcurl.
@main
enum PathmonitorValidationMain {
  static func main() { exit(Program.run { ValidationProgram.run(arguments: $0) }) }
}
