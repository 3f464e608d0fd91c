import ErrorHandling

/// An error of a disk.
struct DiskFull: Error, Equatable {
  var missingBytes = 0
}

/// An error with cases.
enum SignUpError: Error, Equatable {
  case nameTaken
  case nameTooShort(minimum: Int)
}

/// An error of a category.
struct Categorized: CategorizedError, Equatable {
  var category: ErrorCategory
}

/// An answer with a status.
struct BadStatus: HTTPStatusProviding, Equatable {
  var httpStatus: Int?
}

/// An error with a cause.
struct Wrapped: CausedError {
  var cause: (any Error)?
}
