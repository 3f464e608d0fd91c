import Connectivity
import Foundation
import Testing

@testable import posts

@Suite("Reader")
struct ReaderTests {
  private let noon = Date(timeIntervalSince1970: 1_767_268_800)
  private let two = [Post(title: "One", body: "First."), Post(title: "Two", body: "Second.")]

  /// A reader that shows a list.
  private func readerWithList(_ posts: [Post]? = nil) -> Reader {
    var reader = Reader(size: ScreenSize(rows: 12, columns: 60))
    #expect(reader.receive(.phase(.online, at: noon)) == .read(attempt: 1))
    #expect(reader.receive(.read(.success(posts ?? two), attempt: 1, at: noon)) == .none)
    return reader
  }

  @Test func `nothing is read before the path is known`() {
    var reader = Reader(size: ScreenSize(rows: 12, columns: 60))
    #expect(reader.receive(.phase(.checking, at: noon)) == .none)
    #expect(reader.receive(.phase(.online, at: noon)) == .read(attempt: 1))
  }

  @Test func `a path that does not become known keeps nobody from reading`() {
    var reader = Reader(size: ScreenSize(rows: 12, columns: 60))
    #expect(reader.receive(.stillChecking) == .read(attempt: 1))
    // The path becomes known while it is read: once is enough.
    #expect(reader.receive(.phase(.online, at: noon)) == .none)
  }

  @Test func `a known path is not waited for again`() {
    var reader = readerWithList()
    #expect(reader.receive(.stillChecking) == .none)
    var offline = Reader(size: ScreenSize(rows: 12, columns: 60))
    #expect(offline.receive(.phase(.offline(.noCarrier), at: noon)) == .abandon)
    #expect(offline.receive(.stillChecking) == .none)
  }

  @Test func `a lost path leaves the list, and its return refreshes it`() {
    var reader = readerWithList()
    #expect(reader.receive(.phase(.offline(.noCarrier), at: noon + 60)) == .abandon)
    #expect(reader.list == Reader.List(posts: two, readAt: noon))
    #expect(reader.offlineSince == noon + 60)
    #expect(reader.receive(.phase(.online, at: noon + 90)) == .read(attempt: 2))
    #expect(reader.offlineSince == nil)
    let newer = [Post(title: "Three", body: "Third.")]
    _ = reader.receive(.read(.success(newer), attempt: 2, at: noon + 91))
    #expect(reader.list == Reader.List(posts: newer, readAt: noon + 91))
  }

  @Test func `another reason is the same absence`() {
    var reader = readerWithList()
    _ = reader.receive(.phase(.offline(.noCarrier), at: noon + 60))
    #expect(reader.receive(.phase(.offline(.noAddress), at: noon + 70)) == .none)
    #expect(reader.offlineSince == noon + 60)
  }

  @Test func `a path that is not quite right is no return`() {
    var reader = readerWithList()
    #expect(reader.receive(.phase(.degraded(.noNameServer), at: noon + 1)) == .none)
    #expect(reader.receive(.phase(.online, at: noon + 2)) == .read(attempt: 2))
  }

  @Test func `the result of an abandoned attempt does not count`() {
    var reader = Reader(size: ScreenSize(rows: 12, columns: 60))
    _ = reader.receive(.phase(.online, at: noon))
    _ = reader.receive(.phase(.offline(.noCarrier), at: noon))
    _ = reader.receive(.phase(.online, at: noon))
    _ = reader.receive(.read(.failure(PostListError("Late.")), attempt: 1, at: noon))
    #expect(reader.problem == nil)
    #expect(reader.attempt == 2)
    _ = reader.receive(.read(.success(two), attempt: 2, at: noon))
    #expect(reader.list?.posts == two)
  }

  @Test func `pressing r again and again makes one attempt at a time`() {
    var reader = readerWithList()
    #expect(reader.receive(.key(.refresh)) == .read(attempt: 2))
    #expect(reader.receive(.key(.refresh)) == .none)
    _ = reader.receive(.read(.success(two), attempt: 2, at: noon))
    #expect(reader.receive(.key(.refresh)) == .read(attempt: 3))
  }

  @Test func `somebody who asks while offline gets an attempt and its result`() {
    var reader = Reader(size: ScreenSize(rows: 12, columns: 60))
    _ = reader.receive(.phase(.offline(.noRoute), at: noon))
    #expect(reader.receive(.key(.refresh)) == .read(attempt: 1))
    _ = reader.receive(.read(.success(two), attempt: 1, at: noon))
    #expect(reader.list?.posts == two)
  }

  @Test func `a failure leaves the list, and the next success clears the failure`() {
    var reader = readerWithList()
    _ = reader.receive(.key(.refresh))
    _ = reader.receive(.read(.failure(PostListError("No.")), attempt: 2, at: noon))
    #expect(reader.problem == "No.")
    #expect(reader.list?.posts == two)
    _ = reader.receive(.key(.refresh))
    _ = reader.receive(.read(.success(two), attempt: 3, at: noon))
    #expect(reader.problem == nil)
  }

  @Test func `the same post stays selected wherever a new list has it`() {
    var reader = readerWithList()
    _ = reader.receive(.key(.down))
    _ = reader.receive(.key(.refresh))
    let newer = [Post(title: "Zero", body: "")] + two
    _ = reader.receive(.read(.success(newer), attempt: 2, at: noon))
    #expect(reader.selection == 2)
  }

  @Test func `the selection stays within the list, also when that is empty`() {
    var reader = readerWithList()
    for _ in 0..<5 { _ = reader.receive(.key(.down)) }
    #expect(reader.selection == 1)
    _ = reader.receive(.key(.refresh))
    _ = reader.receive(.read(.success([]), attempt: 2, at: noon))
    for key in [Reader.Key.down, .up, .open, .down, .back] { _ = reader.receive(.key(key)) }
    #expect(reader.selection == 0)
    #expect(reader.opened == nil)
  }

  @Test func `the post that is read stays while the list is refreshed below it`() {
    var reader = readerWithList()
    _ = reader.receive(.key(.open))
    _ = reader.receive(.key(.refresh))
    _ = reader.receive(.read(.success([]), attempt: 2, at: noon))
    #expect(reader.opened == two[0])
    _ = reader.receive(.key(.back))
    #expect(reader.opened == nil)
  }

  @Test func `a long post scrolls to its end and no further, and a larger screen takes that back`() {
    let long = Post(title: "Long", body: (1...30).map { "Line \($0)" }.joined(separator: "\n"))
    var reader = readerWithList([long])
    _ = reader.receive(.key(.open))
    for _ in 0..<100 { _ = reader.receive(.key(.down)) }
    #expect(reader.page.contains(Line(text: " Line 30")))
    #expect(!reader.page.contains(Line(text: " Line 1")))
    _ = reader.receive(.resized(ScreenSize(rows: 50, columns: 60)))
    #expect(reader.page.contains(Line(text: " Line 1")))
  }

  @Test func `q ends it`() {
    var reader = readerWithList()
    #expect(reader.receive(.key(.quit)) == .quit)
  }
}
