import CCurses
import Connectivity
import Foundation
import Glibc
import Testing

@testable import posts

@Suite("Pages")
struct PagesTests {
  private let noon = Date(timeIntervalSince1970: 1_767_268_800)

  init() {
    // Columns are counted as the terminal counts them.
    setlocale(LC_CTYPE, "C.UTF-8")
  }

  private func reader(_ events: Reader.Event..., size: ScreenSize = ScreenSize(rows: 12, columns: 70)) -> Reader {
    var reader = Reader(size: size)
    for event in events { _ = reader.receive(event) }
    return reader
  }

  private func text(_ reader: Reader) -> String {
    reader.page.map(\.text).joined(separator: "\n")
  }

  private func list(_ posts: [Post], attempt: Int = 1) -> Reader.Event {
    .read(.success(posts), attempt: attempt, at: noon)
  }

  @Test func `offline at launch is a page of its own, with the reason`() {
    let page = text(reader(.phase(.offline(.noCarrier), at: noon)))
    #expect(page.contains("\n Offline\n"))
    #expect(page.contains(" No cable is plugged in and no Wi-Fi in reach."))
    #expect(page.contains("by themselves when the network is back"))
  }

  @Test func `a list that was read before stays on the page, which says how old it is`() {
    let page = text(
      reader(
        .phase(.online, at: noon), list([Post(title: "One", body: "")]), .phase(.offline(.noRoute), at: noon)))
    #expect(page.contains(" Offline since "))
    #expect(page.contains("there is no way to the Internet.\n This is the list as it was at "))
    #expect(page.contains(" > One"))
  }

  @Test func `a failure of the server is never called offline`() {
    let failed = Reader.Event.read(.failure(PostListError("The server is ill.")), attempt: 1, at: noon)
    let page = text(reader(.phase(.online, at: noon), failed))
    #expect(page.contains(" The server is ill.\n Press r to try again."))
    #expect(!page.lowercased().contains("offline"))
  }

  @Test func `a path that cannot be told is never called offline`() {
    let failed = Reader.Event.read(.failure(PostListError("Nothing.")), attempt: 1, at: noon)
    #expect(text(reader()).contains(" Looking for the network …"))
    #expect(text(reader(.stillChecking, failed)).contains(" Nothing.\n Press r to try again."))
    let page = text(reader(.phase(.degraded(.notKnown), at: noon), list([])))
    #expect(page.contains("Whether the network is there cannot be told"))
    #expect(!page.lowercased().contains("offline"))
  }

  @Test func `an empty list says so`() {
    #expect(text(reader(.phase(.online, at: noon), list([]))).contains("The list is empty"))
  }

  @Test func `the selected post is in sight in a list of any length`() {
    let posts = (0..<1_000).map { Post(title: "Post \($0)", body: "") }
    var reader = reader(.phase(.online, at: noon), list(posts))
    for index in posts.indices {
      #expect(reader.page.contains(Line(text: " > Post \(index)", style: .selected)))
      _ = reader.receive(.key(.down))
    }
  }

  @Test("a page has the size of the screen", arguments: 0..<14, [0, 1, 2, 3, 10, 40, 70])
  func size(rows: Int, columns: Int) {
    let size = ScreenSize(rows: rows, columns: columns)
    let posts = (0..<20).map { Post(title: "日本語のタイトル \($0) 🎉", body: "A body\n\nof 長い words") }
    let readers = [
      reader(size: size), reader(.phase(.offline(.noCarrier), at: noon), size: size),
      reader(.phase(.online, at: noon), list(posts), size: size),
      reader(.phase(.online, at: noon), list(posts), .phase(.offline(.noCarrier), at: noon), size: size),
      reader(.phase(.online, at: noon), list(posts), .key(.open), .key(.down), size: size),
    ]
    for reader in readers {
      let page = reader.page
      #expect(page.count == rows)
      #expect(page.allSatisfy { $0.text.columns <= columns })
    }
  }

  @Test func `nothing of a hostile post reaches the terminal as an order`() {
    let evil = Post(title: "a\u{1b}[2Jb\u{9b}31mc\u{7}\nd\u{202e}e", body: "x\u{1b}]0;title\u{7}\r\ny\tz")
    #expect(evil.title == "a\u{fffd}[2Jb\u{fffd}31mc\u{fffd} de")
    #expect(evil.body == "x\u{fffd}]0;title\u{fffd}\ny z")
  }

  @Test func `text is wrapped between words, and long words are broken`() {
    #expect("one two three".wrapped(toColumns: 8) == ["one two", "three"])
    #expect("abcdefghij k".wrapped(toColumns: 4) == ["abcd", "efgh", "ij k"])
    #expect("a\n\nb".wrapped(toColumns: 4) == ["a", "", "b"])
    #expect("日本語".wrapped(toColumns: 4) == ["日本", "語"])
    #expect("日本語".cut(toColumns: 4) == "日…")
  }
}
