/// The known name that the writer of an unknown word may have meant.
package enum Suggestion {
  /// ` (did you mean 'status'?)` when one of the names is near, else nothing.
  package static func text(for word: String, among names: [String]) -> String {
    // No name is nearly so long, and the search takes a step for each pair of letters.
    guard word.utf8.count <= longestWord else { return "" }
    let near = names.map { (name: $0, distance: editDistance(word, $0)) }.min { $0.distance < $1.distance }
    guard let near, near.distance <= max(1, word.count / 3) else { return "" }
    return " (did you mean '\(near.name)'?)"
  }

  /// The longest word that may be meant for a name, in bytes.
  private static let longestWord = 64

  /// How many letters must be changed, added or left out to make one word from the other (Levenshtein).
  private static func editDistance(_ left: String, _ right: String) -> Int {
    let right = Array(right)
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let change = diagonal + (letter == right[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(change, row[column] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
