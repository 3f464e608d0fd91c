import Foundation
import FoundationNetworking

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
    let (data, response) = try await dataInTime()
    guard let response = response as? HTTPURLResponse else {
      throw PostListError("What answers there does not speak HTTP.")
    }
    guard response.statusCode == 200 else {
      let words = HTTPURLResponse.localizedString(forStatusCode: response.statusCode)
      throw PostListError("The server has no list for us: it answered \(response.statusCode) (\(words)).")
    }
    return try Post.list(data)
  }

  /// The answer, or an error when the time is over: a `URLSession` on Linux measures only the pauses of a transfer.
  private func dataInTime() async throws(PostListError) -> (Data, URLResponse) {
    do {
      return try await withThrowingTaskGroup(of: (Data, URLResponse).self) { group in
        group.addTask { try await Self.session.data(from: url) }
        group.addTask {
          try await Task.sleep(for: timeout)
          throw URLError(.timedOut)
        }
        defer { group.cancelAll() }
        guard let answer = try await group.next() else { throw URLError(.timedOut) }
        return answer
      }
    } catch let error as URLError {
      throw PostListError(words(for: error.code))
    } catch {
      throw PostListError(error)
    }
  }

  private func words(for code: URLError.Code) -> String {
    let server = url.host() ?? url.absoluteString
    return switch code {
    case .timedOut: "\(server) does not answer."
    case .cannotFindHost: "The address of \(server) cannot be found."
    case .networkConnectionLost, .badServerResponse: "\(server) ended the connection before all was read."
    case .cannotParseResponse, .unsupportedURL: "What answers at \(server) does not speak HTTP."
    case .httpTooManyRedirects: "\(server) sends us in circles."
    default: "\(server) cannot be reached."
    }
  }
}
