internal import Connections
internal import Glibc
internal import PathSubscribers
internal import Programs

/// The program that ends connections whose address is gone.
@main
enum PathmonitorConnectionsMain {
  static func main() { exit(Program.run { ConnectionProgram.run(arguments: $0) }) }
}
