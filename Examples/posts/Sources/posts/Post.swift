import Connectivity
import Foundation

/// One post, with texts that are safe to show on a terminal.
struct Post: Hashable, Sendable {
  /// One line.
  var title: String
  /// Paragraphs, with a line feed between them.
  var body: String

  init(title: String, body: String) {
    // A text from a server must not move the cursor or overwrite other parts of the screen.
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

  /// Decodes the answer of a server.
  static func list(_ data: Data) throws(PostListError) -> [Post] {
    do {
      return try JSONDecoder().decode([Post].self, from: data)
    } catch {
      throw PostListError(error)
    }
  }
}

/// The reason why there is no list, as a sentence for the reader.
struct PostListError: Error, Equatable {
  var sentence: String
  /// The reason why there is no network, if that is the cause.
  var unsatisfiedReason: UnsatisfiedReason?

  init(_ sentence: String) {
    self.sentence = sentence
  }

  /// An error that names the mistake in a list and its place.
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

  /// The number of the post, counted from one as people do.
  private static func number(in context: DecodingError.Context) -> Int {
    (context.codingPath.first?.intValue ?? 0) + 1
  }
}
