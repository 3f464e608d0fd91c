import Connectivity
import Foundation
import Glibc

/// posts URL: reads posts on a terminal, and says so when the network is gone.
@main
@MainActor
enum Posts {
  static func main() async {
    useUTF8()
    let arguments = CommandLine.arguments.dropFirst()
    if arguments == ["--help"] {
      print(usage)
      return
    }
    guard arguments.count == 1, let url = URL(string: arguments[1]), ["http", "https"].contains(url.scheme),
      url.host()?.isEmpty == false
    else {
      complain("the address of a list of posts is needed, and nothing else: posts http://localhost:8000/posts.json")
      exit(EX_USAGE)
    }
    let client = PostClient(url: url)
    guard let terminal = Terminal() else { exit(await printTitles(from: client)) }
    let signal = await read(from: client, on: terminal)
    terminal.close()
    exit(signal.map { 128 + $0 } ?? EXIT_SUCCESS)
  }

  /// Shows the posts until the user quits or a signal comes.
  ///
  /// - Returns: The signal that ended the program; `nil` if the user quit.
  private static func read(from client: PostClient, on terminal: Terminal) async -> Int32? {
    let (inputs, inbox) = AsyncStream.makeStream(of: Input.self)
    let terminalEvents = TerminalEvents { inbox.yield(.terminal($0)) }
    let following = Task {
      for await phase in PathMonitor.shared.phases() { inbox.yield(.reader(.phase(phase, at: .now))) }
    }
    let patience = Task {
      try await Task.sleep(for: .seconds(1))
      inbox.yield(.reader(.stillChecking))
    }
    var attempt: Task<Void, Never>?
    defer {
      for task in [following, attempt] { task?.cancel() }
      patience.cancel()
      withExtendedLifetime(terminalEvents) {}
    }

    var reader = Reader(size: terminal.size)
    terminal.draw(reader)
    for await input in inputs {
      let events: [Reader.Event]
      switch input {
      case .reader(let event): events = [event]
      case .terminal(.keys): events = terminal.pressedKeys().map { .key($0) }
      case .terminal(.resized): events = [.resized(terminal.size)]
      case .terminal(.end(let signal)): return signal
      }
      for event in events {
        switch reader.receive(event) {
        case .none: break
        case .quit: return nil
        case .abandon: attempt?.cancel()
        case .read(let number):
          attempt = Task {
            let result = await client.result(takingAtLeast: .milliseconds(300))
            inbox.yield(.reader(.read(result, attempt: number, at: .now)))
          }
        }
      }
      terminal.draw(reader)
    }
    return nil
  }

  /// An input of the main loop.
  private enum Input {
    case reader(Reader.Event)
    case terminal(TerminalEvent)
  }

  /// Prints the titles once, one on each line, if there is no terminal.
  private static func printTitles(from client: PostClient) async -> Int32 {
    do {
      let posts = try await client.list()
      for post in posts { print(post.title) }
      if posts.isEmpty { complain("the list is empty") }
      return EXIT_SUCCESS
    } catch {
      complain(error.unsatisfiedReason.map { "offline: \($0.forReaders)" } ?? error.sentence)
      return EXIT_FAILURE
    }
  }

  private static let usage = """
    posts URL    reads the posts whose list is at URL: [{"title": "…", "body": "…"}, …]

    Into a pipe or a file goes a title on each line.
    """

  /// Prints a line to standard error.
  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("posts: \(text)\n".utf8))
  }

  /// Sets the encoding to UTF-8, which the C library needs to count columns, even if the user has set no locale.
  private static func useUTF8() {
    setlocale(LC_ALL, "")
    if strcmp(nl_langinfo(Int32(CODESET)), "UTF-8") != 0 { setlocale(LC_CTYPE, "C.UTF-8") }
  }
}

extension PostClient {
  /// The list, or the reason why there is none. The attempt takes some time at least, because one that fails at once
  /// would look like no attempt.
  fileprivate func result(takingAtLeast time: Duration) async -> Result<[Post], PostListError> {
    let earliest = ContinuousClock.now + time
    let result: Result<[Post], PostListError>
    do throws(PostListError) {
      result = .success(try await list())
    } catch {
      result = .failure(error)
    }
    try? await Task.sleep(until: earliest)
    return result
  }
}
