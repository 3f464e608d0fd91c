@_exported import ConnectivityTesting
@_exported import Foundation
@_exported import FoundationNetworking
@_exported import Observation
@_exported import Reachability
@_exported import RequestsOnPath
@_exported import Testing

// The declarations that the Swift of the guides uses, as the program of a reader has them. They do nothing: the guides
// are compiled.

// MARK: The path

let monitor = PathMonitor(source: .scripted(PathScript(.online())))
let path = NWPath(.online())
let requirement = PathRequirement.unmetered
let reachability = try? Reachability()
let clock = ManualClock()
let settings = (savesData: true, isEmpty: false)

func show(_ items: Any...) {}
func log(_ text: String) {}
func pauseDownloads() {}
func redrawSoon() {}
func sync() async throws {}

// MARK: Requests

struct Post: Decodable {}

struct Availability: Decodable {
  var isAvailable: Bool
}

struct Client: Sendable {
  func page(attempt: Int) async throws -> String { "page \(attempt)" }
  func report() async throws -> String { "report" }
  func execute(_ request: HTTPClientRequest, timeout: Duration) async throws -> HTTPClientResponse {
    throw HTTPClientError.readTimeout
  }
}

let client = Client()
let url = URL(filePath: "/")
let request = URLRequest(url: url)
let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
let session = URLSession.shared
let options = RequestOptions()
var policy: RetryPolicy {
  get { .idempotent }
  set {}
}

func request(for name: String) -> URLRequest { request }
func download(_ url: URL) async throws -> String { "" }
func load() async throws -> String { "" }
func showOfflinePage() {}

// MARK: Errors

enum InvalidInput: Error, Equatable {
  case email
}

struct CardDeclined: Error {}
struct NotReady: Error {}

struct DiskFull: Error {
  var missingBytes = 0
}

enum Storage {
  static func emptyBin() async throws {}
}

struct Session: Sendable {
  func open() async throws -> String { "" }
  func showLabel(_ text: String) {}
  func showAccount(_ account: String?) {}
}

let error = DiskFull()
let presenter = RecordingPresenter()
let (accountRules, programRules, editorOnlyRules) = (ErrorHandler(), ErrorHandler(), ErrorHandler())
let isReady = false

func start() {}
func reload() async throws {}
func fetch() async {}
func record(_ error: any Error) {}
func upload(_ error: any Error) async {}
func upload() async throws -> String { "" }
func write(_ data: [UInt8]) async throws {}
func emptyCache() async throws {}
func loadAccount() async throws -> String { "" }
func markField(_ error: InvalidInput) {}
func askForAnotherCard(after error: CardDeclined) {}
func pay() async {}
func signIn() async throws {}
func openInbox() async {}
func showSignIn() {}
func showPrices() {}
func showMaintenancePage() {}
func showGeneralPage() {}
func chosenOption(of options: [RecoveryOption]) async -> RecoveryOption.ID? { options.first?.id }
