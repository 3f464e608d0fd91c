internal import PathModel

/// The part of the path that a monitor shows.
enum PathView: Hashable, Sendable {
  /// The whole path.
  case whole
  /// The whole path if it meets the requirement; otherwise an unsatisfied one.
  case requirement(PathRequirement)
  /// The path through interfaces that use the type.
  case required(InterfaceType)
  /// The path through interfaces that use none of the types.
  case prohibited(Set<InterfaceType>)

  /// The path as this view shows it.
  func applied(to path: NetworkPath) -> NetworkPath {
    switch self {
    case .whole: path
    // An unknown path is also unknown through each interface.
    case _ where path.knowledge == .unknown: path
    case .requirement(let requirement): requirement.applied(to: path)
    case .required(let type): path.through { path.uses(type, through: $0) }
    case .prohibited(let types): path.through { interface in types.allSatisfy { !path.uses($0, through: interface) } }
    }
  }
}
