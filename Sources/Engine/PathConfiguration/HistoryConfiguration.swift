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

  /// A key of the section.
  package struct Key: Hashable, Sendable {
    /// The name before the equals sign.
    package let name: String
    /// The values that the key accepts, in words without a full stop.
    package let allowed: String
    /// The value without a file.
    package let standard: String
    fileprivate let effect: Effect
  }

  /// The setting that a key changes.
  fileprivate enum Effect { case maximumSize, keptChanges, keptHours, networkNames }

  /// All keys, in the order of the manual.
  package static let keys = [
    Key(
      name: "MaximumSize", allowed: "a number of bytes with K, M or G, from 1M to 1024G", standard: "8M",
      effect: .maximumSize),
    Key(name: "KeepChanges", allowed: days, standard: "400d", effect: .keptChanges),
    Key(name: "KeepHours", allowed: days, standard: "1100d", effect: .keptHours),
    Key(name: "NetworkNames", allowed: ConfigurationKey.booleans, standard: "yes", effect: .networkNames),
  ]

  private static let days = "a number of days such as 400d, from 1d to 36500d"
  package static let section = "History"
  package static let unit = "pathmonitor-history.service"
  package static var keyNames: [String] { keys.map(\.name) }

  package mutating func set(_ name: String, _ value: String, line: Int) throws(ConfigurationProblem) {
    guard let key = Self.keys.first(where: { $0.name == name }) else { return }
    // An empty value stands for the usual one, as in systemd's files.
    let text = value.isEmpty ? key.standard : value
    let isAllowed =
      switch key.effect {
      case .maximumSize:
        Self.set(&maximumSize, Self.number(text, units: ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30], in: Self.sizes))
      case .keptChanges: Self.set(&keptChanges, Self.number(text, units: ["d": 1], in: Self.spansOfDays))
      case .keptHours: Self.set(&keptHours, Self.number(text, units: ["d": 1], in: Self.spansOfDays))
      case .networkNames: Self.set(&recordsNetworkNames, ConfigurationValue.boolean(text))
      }
    guard isAllowed else {
      throw ConfigurationProblem(
        line: line, message: "\(name)= cannot be \(value.quotedInLine); allowed: \(key.allowed)")
    }
  }

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
