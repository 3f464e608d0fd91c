package import PathTestSupport

extension SeededGenerator {
  /// A number from 0 to below the limit.
  package mutating func next(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// True once in so many times.
  package mutating func chance(_ times: Int) -> Bool { next(below: times) == 0 }

  /// Any of the elements.
  package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(below: elements.count)] }
}
