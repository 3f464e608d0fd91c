// The floor of a one-shot command in Swift: what socket-client.c does, with Glibc alone.
// The difference to the C program is the price of the language's runtime.
import Glibc

guard CommandLine.arguments.count == 2 else {
  fputs("usage: floor SOCKET\n", stderr)
  exit(64)
}

var address = sockaddr_un()
address.sun_family = sa_family_t(AF_UNIX)
withUnsafeMutableBytes(of: &address.sun_path) { path in
  path.copyBytes(from: CommandLine.arguments[1].utf8.prefix(path.count - 1))
}

let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
let connected = withUnsafePointer(to: &address) { pointer in
  pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
    connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_un>.size))
  }
}
guard connected == 0 else {
  perror("cannot connect")
  exit(70)
}

let length = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { line in
  let received = read(descriptor, line.baseAddress, line.count)
  return received > 0 ? write(STDOUT_FILENO, line.baseAddress, received) : received
}
exit(length > 0 ? 0 : 1)
