internal import Foundation

/// The sentences for users, in the language of the program if it has them.
///
/// A sentence is looked up by its English text in the table `RequestsOnPath` of the main bundle
/// (`de.lproj/RequestsOnPath.strings`). `%@` stands for the name of a host, an address or a text of the server.
enum FailureWords {
  static let table = "RequestsOnPath"

  /// The sentence in the language of the bundle, with the arguments in place of each `%@`.
  ///
  /// Arguments can come from elsewhere. They are shown in one line, and their own `%@` are left alone.
  static func sentence(_ english: String, _ arguments: String..., bundle: Bundle = .main) -> String {
    let sentence = bundle.localizedString(forKey: english, value: english, table: table)
    var parts = sentence.components(separatedBy: "%@")[...]
    var result = parts.popFirst() ?? ""
    for (index, part) in parts.enumerated() {
      result += (arguments.indices.contains(index) ? arguments[index].inOneLine : "") + part
    }
    return result
  }
}
