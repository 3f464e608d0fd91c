import Foundation
import Testing

@testable import posts

@Suite("Lists from a server")
struct PostListTests {
  @Test func `keys that are not known count for nothing`() throws {
    let posts = try Post.list(Data(#"[{"id":1,"title":"T","body":"B","tags":[]}]"#.utf8))
    #expect(posts == [Post(title: "T", body: "B")])
  }

  @Test func `an empty list is a list`() throws {
    #expect(try Post.list(Data("[]".utf8)) == [])
  }

  @Test(
    "what is no list of posts is refused with a sentence that says what is wrong and where",
    arguments: [
      ("", "What the server sent is not JSON. Is this the address of a list of posts?"),
      ("<html>Sign in</html>", "What the server sent is not JSON. Is this the address of a list of posts?"),
      (#"[{"title":"T","body":"B"}"#, "What the server sent is not JSON. Is this the address of a list of posts?"),
      ("{}", "What the server sent is not a list of posts."),
      ("null", "What the server sent is not a list of posts."),
      ("[1]", "Post 1 of the list is not an object with 'title' and 'body'."),
      ("[null]", "Post 1 of the list is not an object with 'title' and 'body'."),
      (#"[{"title":"T","body":"B"},{"title":"T"}]"#, "Post 2 of the list has no 'body'."),
      (#"[{"title":1,"body":"B"}]"#, "Post 1 of the list has a 'title' that is not a text."),
      (#"[{"title":null,"body":"B"}]"#, "Post 1 of the list has a 'title' that is not a text."),
    ])
  func refused(text: String, sentence: String) {
    #expect(throws: PostListError(sentence)) { try Post.list(Data(text.utf8)) }
  }

  @Test func `nesting without an end does not exhaust the stack`() {
    #expect(throws: PostListError.self) { try Post.list(Data(repeating: UInt8(ascii: "["), count: 1_000_000)) }
  }

  @Test func `bytes that are no text are refused`() {
    #expect(throws: PostListError.self) { try Post.list(Data([0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d])) }
  }
}
