import ConnectivityTesting

extension FaultAnswer {
  /// The answer of a service that checks user names: `GET /isUserNameAvailable?userName=NAME`.
  ///
  /// | name | answer |
  /// |---|---|
  /// | none, up to three characters, `admin`, `superuser` | 400 and `{"error": true, "reason": …}` |
  /// | `peterfriese`, `johnnyappleseed`, `page`, `johndoe` | 200 and `"isAvailable": false` |
  /// | `servererror` | 500 with a reason and without a hint when to try again |
  /// | `maintenance` | two times 500 with `Retry-After`, then 200, and so on |
  /// | `maintenance!` | 500 with `Retry-After`, always |
  /// | `illegalresponse` | 200 and JSON without the member `userName` |
  /// | `brokenresponse` | 200 and JSON that ends in the middle |
  /// | any other | 200 and `{"isAvailable": true, "userName": NAME}` |
  ///
  /// The number of the request decides about `maintenance`, so that the answer depends on the request alone.
  ///
  /// - Parameters:
  ///   - request: The request; its method and path do not matter.
  ///   - retryAfter: The seconds of `Retry-After`.
  public static func signUp(_ request: FaultRequest, retryAfter: Int = 17) -> FaultAnswer {
    let name = request.query["userName"] ?? ""
    switch name {
    case "": return refusal("The user name must not be empty.")
    case "admin", "superuser": return refusal("This user name is reserved.")
    case "servererror": return failure("The server has lost its mind.")
    case "maintenance" where request.number % 3 == 0: return availability(true, of: name)
    case "maintenance", "maintenance!": return failure("The server is under maintenance.", retryAfter: retryAfter)
    case "illegalresponse": return .json(#"{"isAvailable":true}"#)
    case "brokenresponse": return .json(#"{"isAvailable":true,"userNa"#)
    case "peterfriese", "johnnyappleseed", "page", "johndoe": return availability(false, of: name)
    case _ where name.count <= 3: return refusal("The user name is too short.")
    default: return availability(true, of: name)
    }
  }

  private static func availability(_ isAvailable: Bool, of name: String) -> FaultAnswer {
    .json(#"{"isAvailable":\#(isAvailable),"userName":\#(quoted(name))}"#)
  }

  private static func refusal(_ reason: String) -> FaultAnswer {
    .json(#"{"error":true,"reason":\#(quoted(reason))}"#, status: 400)
  }

  private static func failure(_ reason: String, retryAfter seconds: Int? = nil) -> FaultAnswer {
    var answer = FaultAnswer.json(#"{"error":true,"reason":\#(quoted(reason))}"#, status: 500)
    if let seconds { answer.headers.append(Field(name: "Retry-After", value: "\(seconds)")) }
    return answer
  }

  /// The text as JSON.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..."\u{1f}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
