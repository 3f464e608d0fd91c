internal import PathModel

/// What a monitor shows of the path.
enum PathView: Hashable, Sendable {
  /// All of it.
  case whole
  /// All of it when it is as required; otherwise that it is not.
  case requirement(PathRequirement)
  /// The path through interfaces of the type.
  case required(InterfaceType)
  /// The path through interfaces of other types.
  case prohibited(Set<InterfaceType>)

  /// What is shown of a path.
  func applied(to path: NetworkPath) -> NetworkPath {
    switch self {
    case .whole: path
    // Of a path that is not known nothing is known through any interface either.
    case _ where path.knowledge == .unknown: path
    case .requirement(let requirement): requirement.applied(to: path)
    case .required(let type): path.through { $0.type == type }
    case .prohibited(let types): path.through { !types.contains($0.type) }
    }
  }
}
