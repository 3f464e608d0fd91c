internal import PathModel

/// The settings of the recorder: the section `[History]` of its files.
package struct HistoryConfiguration: SectionConfiguration, Hashable {
  /// The largest size of the history, in bytes.
  package var maximumSize: Int64 = 8 << 20
  /// How many days each change is kept.
  package var keptChanges: Int64 = 400
  /// How many days the sums of hours are kept. The sums of days stay.
  package var keptHours: Int64 = 1_100

  /// Whether the names of wireless networks are recorded.
  package var recordsNetworkNames = true

  /// The usual settings.
  package init() {}

  /// The name of the file that is read first.
  package static let mainName = "history.conf"
  package static let section = "History"
  package static let unit = "pathmonitor-history.service"

  /// All keys, in the order of the manual.
  package static let keys: [SectionKey<HistoryConfiguration>] = [
    SectionKey("MaximumSize", allowed: "a number of bytes with K, M or G, from 1M to 1024G", standard: "8M") {
      set(&$0.maximumSize, number($1, units: ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30], in: sizes))
    },
    SectionKey("KeepChanges", allowed: days, standard: "400d") {
      set(&$0.keptChanges, number($1, units: ["d": 1], in: spansOfDays))
    },
    SectionKey("KeepHours", allowed: days, standard: "1100d") {
      set(&$0.keptHours, number($1, units: ["d": 1], in: spansOfDays))
    },
    SectionKey("NetworkNames", allowed: ConfigurationKey.booleans, standard: "yes") {
      set(&$0.recordsNetworkNames, ConfigurationValue.boolean($1))
    },
  ]

  private static let days = "a number of days such as 400d, from 1d to 36500d"

  private static let sizes: ClosedRange<Int64> = 1 << 20...1 << 40
  private static let spansOfDays: ClosedRange<Int64> = 1...36_500

  /// Returns whether there is a new value.
  private static func set<Value>(_ setting: inout Value, _ value: Value?) -> Bool {
    if let value { setting = value }
    return value != nil
  }

  private static func number(_ text: String, units: [Character: Int64], in range: ClosedRange<Int64>) -> Int64? {
    guard let unit = text.last.flatMap({ units[$0] }), text.dropLast().allSatisfy({ $0.isASCII && $0.isNumber }),
      let count = Int64(text.dropLast())
    else { return nil }
    let (number, overflow) = count.multipliedReportingOverflow(by: unit)
    return !overflow && range.contains(number) ? number : nil
  }
}
