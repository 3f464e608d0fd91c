import Foundation
import ProcessTestSupport

/// A network manager of Debian's, which `make install-test` unpacks without installing it, or which is installed.
enum DebianProgram {
  private static let unpacked = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: ".build/programs").path

  static let networkManager = path(of: "/usr/sbin/NetworkManager")
  static let networkManagerClient = path(of: "/usr/bin/nmcli")
  static let dhclient = path(of: "/sbin/dhclient")
  static let dhclientScript = path(of: "/sbin/dhclient-script")
  static let dhcpcd = path(of: "/usr/sbin/dhcpcd")

  static let areThere = [networkManager, networkManagerClient, dhclient, dhclientScript, dhcpcd].allSatisfy {
    $0 != nil
  }
  static let needed = "needs the programs that `make install-test` puts into .build/programs"

  /// The words that start dhcpcd on `eth0` for IPv4, in a process namespace that ends with it. Where the user `dhcpcd`
  /// exists, it gives its privileges up and leaves the work for root to other processes. These would outlive it, and so
  /// hold its output open.
  static func dhcpcd(_ options: String...) -> [String] {
    // The shell remains root: a process that gives that up no longer ends with its parent.
    ["unshare", "--pid", "--fork", "--kill-child", "sh", "-c", #""$@" & wait"#, "sh", dhcpcd ?? "", "-4", "-B"]
      + options + ["-c", "/bin/true", "eth0"]
  }

  /// The path of the program; `nil` when it is not there.
  private static func path(of program: String) -> String? {
    [unpacked + program, program].first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The variables with which the dynamic linker finds the libraries that were unpacked with the programs.
  static var environment: [String: String?] {
    let folder = "\(unpacked)/usr/lib"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return [
      "LD_LIBRARY_PATH": names.filter { $0.hasSuffix("-linux-gnu") }.map { "\(folder)/\($0)" }.joined(separator: ":")
    ]
  }
}

/// Directories and a host name of a test's own, for programs that write to the files of the machine.
struct PrivateMachine: Sendable {
  private let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
    for name in ["run/NetworkManager", "lib/NetworkManager", "lib/dhcp", "lib/dhcpcd", "etc"] {
      try FileManager.default.createDirectory(atPath: directory(name), withIntermediateDirectories: true)
    }
  }

  /// The path of a file that the private machine has in `/var/lib`.
  func library(_ name: String) -> String { directory("lib/\(name)") }

  /// The path of any other file of the private machine.
  func callAsFunction(_ name: String) -> String { directory(name) }

  /// Writes a file of the private machine.
  func write(_ name: String, _ text: String) throws { try directory.write(name, text) }

  /// The words that start a program with the private machine's `/run` and `/var/lib`. Other processes do not see the
  /// files that it writes into `/etc`, and sysfs cannot be written, as in a container. The process stays the same.
  var launcher: [String] {
    let script = """
      set -e
      machine=$1
      shift
      mount -o remount,ro /sys
      mount --bind "$machine/run" /run
      mount --bind "$machine/lib" /var/lib
      mount -t tmpfs none "$machine/etc"
      mkdir "$machine/etc/new" "$machine/etc/work"
      mount -t overlay -o "lowerdir=/etc,upperdir=$machine/etc/new,workdir=$machine/etc/work" none /etc
      rm -rf /etc/dhcp /etc/NetworkManager /etc/resolv.conf
      echo nameserver 192.0.2.53 >/etc/resolv.conf
      exec "$@"
      """
    return ["unshare", "--mount", "--uts", "--propagation", "private", "sh", "-c", script, "sh", directory.path]
  }

  /// Starts a program with these directories.
  func start(
    _ words: [String], namespace: String, environment: [String: String?] = [:]
  ) throws -> RunningProgram {
    try RunningProgram(
      launcher + words, environment: DebianProgram.environment.merging(environment) { $1 }, namespace: namespace)
  }
}
