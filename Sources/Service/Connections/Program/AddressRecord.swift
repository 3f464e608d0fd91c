internal import Glibc
internal import SystemIO

/// The file of ``GoneAddresses/record``, in the folder that systemd keeps over a restart of this program.
///
/// Without it, a restart loses the addresses that have gone before: their connections stay. So no fault of the file is
/// one of the program.
struct AddressRecord {
  private static let fileName = "addresses"
  /// The most bytes that are read. 10,000 missing addresses and as many present ones take one megabyte.
  private static let limit = 8 << 20

  private let file: String?
  private let report: (String) -> Void
  private var written: [UInt8] = []
  private var hasFailed = false

  init(report: @escaping (String) -> Void) {
    self.report = report
    file = Environment.value("RUNTIME_DIRECTORY").map { "\($0)/\(Self.fileName)" }
  }

  /// Takes over the addresses that the program has written before its restart.
  func restore(_ gone: inout GoneAddresses) {
    guard let file else { return }
    do throws(SystemError) {
      let record = try Files.read(file, limit: Self.limit, trust: .ownFiles)
      if !gone.restore(record, at: .now) {
        report("\(file) is no record of addresses. Connections of addresses that have gone before stay.")
      }
    } catch {
      if error.errorNumber != ENOENT {
        report("\(error.description). Connections of addresses that have gone before stay.")
      }
    }
  }

  /// Writes the addresses, if they are others than before. A failure is reported once, until a writing succeeds.
  mutating func write(_ gone: GoneAddresses) {
    guard let file else { return }
    let record = gone.record
    if record == written { return }
    do throws(SystemError) {
      try Files.replace(file, with: record, mode: 0o600)
      (written, hasFailed) = (record, false)
    } catch {
      if !hasFailed { report("\(error.description). A restart of the program would forget the addresses.") }
      hasFailed = true
    }
  }
}
