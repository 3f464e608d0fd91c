import Foundation
import FoundationNetworking
import Resilience

/// Reads the list from its server.
struct PostClient: Sendable {
  /// Where the list is.
  var url: URL
  /// How long reading may take in all.
  var timeout = Duration.seconds(10)

  /// A session without a cache: what is shown as read now was read now.
  private static let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    return URLSession(configuration: configuration)
  }()

  /// Reads the list as it is now.
  func list() async throws(PostListError) -> [Post] {
    // Whether it is the time to read is the reader's decision, or that of who pressed r: there may be no way to the
    // Internet, but one to a server in the same room.
    let options = RequestOptions(whenUnmet: .proceed, timeout: timeout)
    let (data, response): (Data, URLResponse)
    do throws(RequestFailure) {
      (data, response) = try await Self.session.data(from: url, requiring: .connected, options: options)
    } catch {
      throw PostListError(error, from: url)
    }
    guard let response = response as? HTTPURLResponse else {
      throw PostListError("What answers there does not speak HTTP.")
    }
    guard response.statusCode == 200 else {
      let words = HTTPURLResponse.localizedString(forStatusCode: response.statusCode)
      throw PostListError("The server has no list for us: it answered \(response.statusCode) (\(words)).")
    }
    return try Post.list(data)
  }
}

extension PostListError {
  /// Why a server could not be read, in the library's sentences where no better ones are at hand.
  fileprivate init(_ failure: RequestFailure, from url: URL) {
    let server = url.host() ?? url.absoluteString
    switch failure.reason {
    case .timedOut: self.init("\(server) does not answer.")
    case .cannotConnect: self.init("\(server) cannot be reached.")
    default: self.init(failure.localizedDescription)
    }
    if failure.reason == .offline { unsatisfiedReason = failure.path.unsatisfiedReason }
  }
}
