import ErrorHandling
import Foundation

/// The browser of the user.
enum Browser {
  /// There is no browser, as on a server.
  struct Missing: Error, CategorizedError, PresentableError {
    var page: URL

    // After the page was opened elsewhere, the attempt is worth another try.
    var category: ErrorCategory { .signInPage }
    var message: ErrorMessage {
      ErrorMessage(
        "No browser was found.", suggestion: "Open \(page.absoluteString) on another device in this network.")
    }
  }

  /// Opens a page with `xdg-open`, and does not wait for the browser.
  static func open(_ page: URL) throws {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let programs = folders.map { "\($0)/xdg-open" }
    guard let program = programs.first(where: FileManager.default.isExecutableFile(atPath:)) else {
      throw Missing(page: page)
    }
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = [page.absoluteString]
    // The messages of the browser would spoil the form.
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { throw Missing(page: page) }
  }
}
