public import Foundation
public import FoundationNetworking
internal import PathModel
internal import Resilience

/// An answer of a server, before it is judged.
struct Answer {
  var request: URLRequest
  var response: URLResponse
  var data: Data
  /// The path on which it came.
  var path: NetworkPath
  /// The present time in seconds since 1970, for an answer without a date.
  var now: Int64

  private var http: HTTPURLResponse? { response as? HTTPURLResponse }
  fileprivate var status: Int { http?.statusCode ?? 200 }

  /// Decodes the value.
  func value<Value: Decodable>(_ type: Value.Type, _ decoder: JSONDecoder) throws(ValueFailure) -> Value {
    // Network Authentication Required
    if status == 511 { throw .request(portal) }
    guard (200..<300).contains(status) else { throw .answer(failure) }
    do {
      return try decoder.decode(type, from: data)
    } catch {
      if isPage || isFromAnotherHost { throw .request(portal) }
      throw .answer(AnswerFailure(.undecodable, status: status, url: response.url, underlying: error))
    }
  }

  // MARK: Pages in place of answers

  private var portal: RequestFailure {
    // Even a request that another host has answered may have been executed, and then redirected.
    RequestFailure(.captivePortal(response.url), url: request.url, path: path)
  }

  private var isFromAnotherHost: Bool {
    guard let host = request.url?.host?.lowercased(), let answering = response.url?.host?.lowercased() else {
      return false
    }
    return host != answering
  }

  /// Whether the content is a web page, by its type or its beginning.
  private var isPage: Bool {
    if let type = response.mimeType?.lowercased() { return type == "text/html" || type == "application/xhtml+xml" }
    let beginning = String(decoding: data.prefix(256), as: UTF8.self).lowercased()
    let trimmed = beginning.drop { $0.isWhitespace }
    return trimmed.hasPrefix("<!doctype html") || trimmed.hasPrefix("<html")
  }

  // MARK: Answers that say no

  fileprivate var failure: AnswerFailure {
    AnswerFailure(reason, status: status, message: message, retryAfter: retryAfter, url: response.url)
  }

  private var reason: AnswerFailure.Reason {
    switch status {
    case 401: .unauthorized
    case 403: .forbidden
    case 404, 410: .notFound
    case 429: .tooManyRequests
    case 400..<500: .notAccepted
    case 500..<600: .serverError
    default: .unexpectedStatus
    }
  }

  /// The members of a JSON object in which servers put their words; `detail` and `title` are those of RFC 9457.
  private static let messageKeys = ["reason", "detail", "message", "error_description", "title", "error"]

  /// The words of the server. They come from elsewhere, so their length is limited.
  private var message: String? {
    guard data.count <= 65_536, let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      return nil
    }
    let words = Self.messageKeys.lazy.compactMap { object[$0] as? String }.first { !$0.isEmpty }
    return words.map { String($0.prefix(300)).inOneLine }
  }

  private var retryAfter: Duration? {
    guard let text = http?.value(forHTTPHeaderField: "Retry-After") else { return nil }
    // The server's own clock decides where its answer shows it.
    let date = http?.value(forHTTPHeaderField: "Date").flatMap { RetryAfter($0, now: now) }
    if case .moment(let seconds) = date { return RetryAfter(text, now: seconds)?.delay(from: seconds) }
    return RetryAfter(text, now: now)?.delay(from: now)
  }
}

extension AnswerFailure {
  /// Judges an answer by its status, as `value` does, for requests that have no value: downloads and uploads.
  ///
  /// ```swift
  /// if let failure = AnswerFailure(judging: response) { throw failure }
  /// ```
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - data: Its body, if it is there: it may have the words of the server.
  /// - Returns: `nil` for an answer that says yes: a status from 200 to 299, or no status, as that of a file.
  public init?(judging response: URLResponse, data: Data = Data()) {
    let request = URLRequest(url: response.url ?? URL(fileURLWithPath: "/"))
    let answer = Answer(
      request: request, response: response, data: data, path: .unknown, now: Int64(Date().timeIntervalSince1970))
    if (200..<300).contains(answer.status) { return nil }
    self = answer.failure
  }
}
