internal import PathModel

/// What a monitor shows of the path.
enum PathView: Hashable, Sendable {
  /// All of it.
  case whole
  /// All of it when it is as required; otherwise that it is not.
  case requirement(PathRequirement)
  /// The path through interfaces that use the type.
  case required(InterfaceType)
  /// The path through interfaces that use none of the types.
  case prohibited(Set<InterfaceType>)

  /// What is shown of a path.
  func applied(to path: NetworkPath) -> NetworkPath {
    switch self {
    case .whole: path
    // Of a path that is not known nothing is known through any interface either.
    case _ where path.knowledge == .unknown: path
    case .requirement(let requirement): requirement.applied(to: path)
    case .required(let type): path.through { path.uses(type, through: $0) }
    case .prohibited(let types): path.through { interface in types.allSatisfy { !path.uses($0, through: interface) } }
    }
  }
}
