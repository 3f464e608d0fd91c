/// The known name that the writer of an unknown word may have meant.
package enum Suggestion {
  /// ` (did you mean 'status'?)` when one of the names is near, else nothing.
  ///
  /// A name with the opposite meaning is never offered: `unwired` is no slip of `wired`. A word that is as near to a
  /// name as to its opposite gets both.
  package static func text(for word: String, among names: [String]) -> String {
    // No name is nearly so long, and the search takes a step for each pair of letters.
    guard word.utf8.count <= longestWord else { return "" }
    let limit = max(1, word.count / 3)
    let near = names.map { (name: $0, distance: editDistance(word, $0)) }
      .filter { $0.distance <= limit && !isOpposite(word, $0.name) }
    guard let nearest = near.min(by: { $0.distance < $1.distance }) else { return "" }
    let opposite = near.first { $0.distance == nearest.distance && isOpposite($0.name, nearest.name) }
    return " (did you mean '\(nearest.name)'\(opposite.map { " or '\($0.name)'" } ?? "")?)"
  }

  /// The longest word that may be meant for a name, in bytes.
  private static let longestWord = 64
  /// The beginnings that turn a word into its opposite.
  private static let negations = ["!", "not-", "not_", "not", "no-", "no", "non-", "non", "un", "dis"]

  /// Whether one of the words is the other with a negation before it. If the words are nearer to each other with the
  /// negation than without, its letters belong to the word: `ummetered` is a slip of `unmetered`.
  private static func isOpposite(_ one: String, _ other: String) -> Bool {
    let distance = editDistance(one, other)
    return negations.contains { negation in
      one.hasPrefix(negation) && editDistance(String(one.dropFirst(negation.count)), other) < distance
        || other.hasPrefix(negation) && editDistance(one, String(other.dropFirst(negation.count))) < distance
    }
  }

  /// How many letters must be changed, added, left out or exchanged with their neighbours to make one word from the
  /// other (optimal string alignment).
  private static func editDistance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for index in left.indices {
      var row = [index + 1]
      for column in right.indices {
        let change = last[column] + (left[index] == right[column] ? 0 : 1)
        var distance = min(change, last[column + 1] + 1, row[column] + 1)
        if index > 0, column > 0, left[index] == right[column - 1], left[index - 1] == right[column] {
          distance = min(distance, beforeLast[column - 1] + 1)
        }
        row.append(distance)
      }
      (beforeLast, last) = (last, row)
    }
    return last[right.count]
  }
}
