import Foundation

/// The shell that runs the commands of the operator.
enum Shell {
  /// Runs a command line, with the program's standard error and nothing to read.
  ///
  /// - Returns: The exit status, or 128 and the number of the signal that ended the command; `nil` if there is no
  ///   shell.
  static func run(_ command: String) async -> Int32? {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    return await withCheckedContinuation { ended in
      process.terminationHandler = { process in
        let status = process.terminationStatus
        ended.resume(returning: process.terminationReason == .exit ? status : 128 + status)
      }
      do {
        try process.run()
      } catch {
        process.terminationHandler = nil
        ended.resume(returning: nil)
      }
    }
  }
}
