import Connectivity
import Foundation

/// One post, with texts that are safe to show on a terminal.
struct Post: Hashable, Sendable {
  /// One line.
  var title: String
  /// Paragraphs, with a line feed between them.
  var body: String

  init(title: String, body: String) {
    // What a server sends must not be able to move the cursor or to write over what is shown elsewhere.
    self.title = title.safeForTerminal.replacing("\n", with: " ")
    self.body = body.safeForTerminal
  }
}

extension Post: Decodable {
  private enum CodingKeys: CodingKey {
    case title, body
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      title: try container.decode(String.self, forKey: .title), body: try container.decode(String.self, forKey: .body))
  }

  /// Reads what a server sent.
  static func list(_ data: Data) throws(PostListError) -> [Post] {
    do {
      return try JSONDecoder().decode([Post].self, from: data)
    } catch {
      throw PostListError(error)
    }
  }
}

/// Why there is no list, as a sentence for the reader.
struct PostListError: Error, Equatable {
  var sentence: String
  /// Why there is no network, if that is why.
  var unsatisfiedReason: UnsatisfiedReason?

  init(_ sentence: String) {
    self.sentence = sentence
  }

  /// What is wrong with a list, and where.
  init(_ error: any Error) {
    guard let error = error as? DecodingError else {
      self.init("The list cannot be read: \(error.localizedDescription)")
      return
    }
    switch error {
    case .keyNotFound(let key, let context):
      self.init("Post \(Self.number(in: context)) of the list has no '\(key.stringValue)'.")
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      switch context.codingPath.count {
      case 0: self.init("What the server sent is not a list of posts.")
      case 1: self.init("Post \(Self.number(in: context)) of the list is not an object with 'title' and 'body'.")
      default:
        let key = context.codingPath[1].stringValue
        self.init("Post \(Self.number(in: context)) of the list has a '\(key)' that is not a text.")
      }
    default:
      self.init("What the server sent is not JSON. Is this the address of a list of posts?")
    }
  }

  /// People count from one.
  private static func number(in context: DecodingError.Context) -> Int {
    (context.codingPath.first?.intValue ?? 0) + 1
  }
}
