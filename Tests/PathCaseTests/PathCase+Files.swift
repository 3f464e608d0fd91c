import PathTestSupport

extension PathCase {
  static let all = (try? parsed()) ?? []

  static func parsed() throws -> [PathCase] {
    try all(in: [PackageResources.path_cases_txt, PackageResources.memory_cases_txt])
  }
}
