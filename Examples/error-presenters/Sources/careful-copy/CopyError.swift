import ErrorHandling
import Foundation

/// A copy that failed, with all that a user and a program need to know.
struct CopyError: CategorizedError, PresentableError, CausedError {
  enum Kind: Equatable {
    case sourceMissing
    case targetExists
    case notPermitted
    case noSpace
    case other
  }

  var kind: Kind
  var source: String
  var target: String
  var cause: (any Error)?

  init(_ cause: any Error, source: String, target: String) {
    kind = Self.kind(of: cause)
    self.source = source
    self.target = target
    self.cause = cause
  }

  var category: ErrorCategory {
    switch kind {
    case .sourceMissing, .targetExists: .userMistake
    case .noSpace: .retryable
    case .notPermitted, .other: .nonRetryable
    }
  }

  var message: ErrorMessage {
    switch kind {
    case .sourceMissing:
      ErrorMessage("There is no file \"\(source)\".", suggestion: "Check the name.")
    case .targetExists:
      ErrorMessage("There is already a file \"\(target)\".")
    case .notPermitted:
      ErrorMessage(
        "\"\(source)\" cannot be copied to \"\(target)\".", reason: "You may not read the one or write the other.",
        suggestion: "Choose another place, or ask for the permission.")
    case .noSpace:
      ErrorMessage("There is no space left for \"\(target)\".", suggestion: "Free some space, and try again.")
    case .other:
      ErrorMessage("\"\(source)\" cannot be copied to \"\(target)\".", suggestion: "Check the disk and the names.")
    }
  }

  private static func kind(of error: any Error) -> Kind {
    for error in ErrorCauses(of: error) {
      let error = error as NSError
      switch (error.domain, error.code) {
      case (NSPOSIXErrorDomain, Int(EEXIST)), (NSCocoaErrorDomain, CocoaError.fileWriteFileExists.rawValue):
        return .targetExists
      case (NSPOSIXErrorDomain, Int(ENOSPC)), (NSPOSIXErrorDomain, Int(EDQUOT)),
        (NSCocoaErrorDomain, CocoaError.fileWriteOutOfSpace.rawValue):
        return .noSpace
      case (NSPOSIXErrorDomain, Int(EACCES)), (NSPOSIXErrorDomain, Int(EPERM)), (NSPOSIXErrorDomain, Int(EROFS)),
        (NSCocoaErrorDomain, CocoaError.fileReadNoPermission.rawValue),
        (NSCocoaErrorDomain, CocoaError.fileWriteNoPermission.rawValue),
        (NSCocoaErrorDomain, CocoaError.fileWriteVolumeReadOnly.rawValue):
        return .notPermitted
      case (NSCocoaErrorDomain, CocoaError.fileReadNoSuchFile.rawValue): return .sourceMissing
      default: continue
      }
    }
    return .other
  }
}
