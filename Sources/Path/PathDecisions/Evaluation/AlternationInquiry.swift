internal import PathModel

/// Lookups that show whether the kernel alternates between the default route in use and equal ones.
///
/// Every lookup of any program moves the kernel on to the next route. Two monitors have an event at the same moment,
/// and the kernel answers them in turn, so each sees one route alone. Therefore a lookup is repeated, with spacers at
/// places that differ between monitors: lookups of a bound socket, which do not move the kernel.
struct AlternationInquiry {
  /// The position of the family among those of the evaluation.
  let family: Int
  private let lookup: RouteQuery
  private let equals: [RouteLeg]
  private let spacer: RouteQuery

  /// The number of times that the lookup is repeated. Monitors that ask in step leave it in each gap with a chance of
  /// one half.
  private static let repetitions = 12

  /// - Parameters:
  ///   - family: The position of the family among those of the evaluation.
  ///   - lookup: The lookup to repeat; it has found the route in use.
  ///   - equals: The next hops of equal routes; `nil` is returned if there is none.
  init?(family: Int, _ lookup: RouteQuery, _ equals: [RouteLeg]) {
    guard let equal = equals.first else { return nil }
    (self.family, self.lookup, self.equals) = (family, lookup, equals)
    spacer = RouteQuery(
      destination: lookup.destination, kind: .resolve, interfaceIndex: equal.interfaceIndex, user: lookup.user)
  }

  /// Adds the questions.
  ///
  /// - Parameter spacing: A bit for each gap: whether a spacer is in it.
  func appendQuestions(to questions: inout [RouteQuery], spacing: UInt16) {
    for gap in 0..<Self.repetitions {
      questions.append(lookup)
      if spacing >> UInt16(gap) & 1 == 1 { questions.append(spacer) }
    }
  }

  /// The next hops of the equal routes that the kernel took at times.
  ///
  /// - Parameter batch: The questions of all inquiries, and the answers.
  func taken(_ batch: PathEvaluation.Batch) -> [RouteLeg] {
    equals.filter { equal in
      zip(batch.queries, batch.answers).contains { $0 == lookup && $1.firstLeg?.leads(where: equal) == true }
    }
  }
}
