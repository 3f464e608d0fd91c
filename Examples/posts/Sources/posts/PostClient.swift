import Foundation
import FoundationNetworking
import RequestsOnPath

/// Reads the list from its server.
struct PostClient: Sendable {
  /// The address of the list.
  var url: URL
  /// The time limit for reading the list.
  var timeout = Duration.seconds(10)

  /// A session without a cache, so that each list comes from the server.
  private static let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    return URLSession(configuration: configuration)
  }()

  /// Reads the list as it is now.
  func list() async throws(PostListError) -> [Post] {
    // The request proceeds without a path, because the reader or its user has decided to read. Without a way to the
    // Internet there may be one to a server in the same room.
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
  /// The error for a failed request, with the library's own sentence unless there is a better one here.
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
