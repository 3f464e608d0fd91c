import SystemIO
import Testing

@Suite("Foreign code and locks")
struct ForeignCodeTests {
  /// Only debug builds count the locks that are held.
  private static var isChecked: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  @Test(.enabled(if: isChecked, "only debug builds check it"))
  func `foreign code under a lock of ours ends the program`() async {
    await #expect(processExitsWith: .failure) {
      let value = Guarded(0)
      value.withLock { value in ForeignCode.run { value = 1 } }
    }
  }

  @Test func `foreign code runs once every lock is released, also after an error`() {
    struct Failure: Error {}
    let value = Guarded(0)
    #expect(throws: Failure.self) { try value.withLock { _ in throw Failure() } }
    ForeignCode.run { value.withLock { $0 = 2 } }
    #expect(ForeignCode.run { value.copy } == 2)
  }

  @Test func `an object that is replaced ends after the lock is released`() {
    final class Token: Sendable {
      let whenReleased: @Sendable () -> Void
      init(_ whenReleased: @escaping @Sendable () -> Void) { self.whenReleased = whenReleased }
      deinit { whenReleased() }
    }
    let (tokens, ends) = (Guarded<[Token]>([]), Guarded<[Int]>([]))
    // Under the lock it would wait for itself.
    let token = Token { [unowned tokens] in
      let count = tokens.copy.count
      ends.withLock { $0.append(count) }
    }
    tokens.withLock { $0 = [token] }
    _ = consume token
    tokens.exchange(\.self, for: [])
    #expect(ends.copy == [0])
  }
}
