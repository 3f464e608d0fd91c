import ConnectivityCore
import FoundationEssentials

/// The command line.
struct Options: Equatable {
  /// The port to listen on; 0 for any free one.
  var port: UInt16 = 8080
  /// The site to show while online; `nil` to show the path.
  var content: URL?
  /// The addresses that stand for the Internet on a network without a way there.
  var probes: [IPAddress] = []
  /// The commands that may bring the network back.
  var offers: [Offer] = []

  static let usage = """
    offline-page [--port PORT] [--content URL] [--sample-address ADDRESS]… [--offer TITLE=COMMAND]…

    Serves a page on http://localhost:PORT/ (8080) that shows the site at URL while there is a network path, and an
    offline view while there is none. Without a URL it shows the path. On a network without a way to the Internet, name
    an address that matters there with --sample-address. While there is no path, the page has a button for each --offer,
    which runs the command with /bin/sh.
    """

  /// A mistake in the command line, with a correct use.
  struct UsageError: Error, Equatable {
    var sentence: String
  }

  /// Parses the arguments that follow the name of the program.
  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var rest = Array(arguments)[...]
    while let option = rest.popFirst() {
      guard ["--port", "--content", "--sample-address", "--offer"].contains(option) else {
        throw UsageError(
          sentence: """
            '\(option)' is not known; allowed: --port PORT, --content URL, --sample-address ADDRESS, \
            --offer TITLE=COMMAND
            """)
      }
      guard let value = rest.popFirst() else {
        throw UsageError(sentence: "\(option) needs a value, such as \(Self.example(of: option))")
      }
      switch option {
      case "--port":
        guard let port = UInt16(value) else { throw Self.refusal(of: value, for: option, "a number from 0 to 65535") }
        self.port = port
      case "--content":
        guard let url = URL(string: value), ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false else {
          throw Self.refusal(of: value, for: option, "an address of http or https")
        }
        content = url
      case "--offer":
        guard let offer = Offer(value) else { throw Self.refusal(of: value, for: option, "a title and a command") }
        offers.append(offer)
      default:
        guard let address = IPAddress(value) else { throw Self.refusal(of: value, for: option, "an IP address") }
        probes.append(address)
      }
    }
  }

  private static func refusal(of value: String, for option: String, _ wanted: String) -> UsageError {
    UsageError(sentence: "'\(value)' is not \(wanted); correct: \(option) \(example(of: option))")
  }

  private static func example(of option: String) -> String {
    switch option {
    case "--port": "8080"
    case "--content": "https://www.example.org/"
    case "--offer": "'Switch Wi-Fi on=rfkill unblock wifi'"
    default: "192.0.2.1"
    }
  }
}
