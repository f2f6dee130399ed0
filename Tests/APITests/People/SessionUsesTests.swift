import Eventually
import Foundation
import Memes
import Synchronization
import Testing

@testable import API

struct SessionUsesTests {
  @Test func `a request does not wait for a disk that hangs, and one record of a session runs`()
    async throws
  {
    let count = Mutex(0)
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let uses = SessionUses { _, _ in
      count.withLock { $0 += 1 }
      for await _ in gate {}
    }
    let time = Timestamp(millisecondsSince1970: 0)
    let session = Session(
      id: SessionID(UUID()), person: UserID(UUID()), createdAt: time, lastUsedAt: time, client: nil)
    for _ in 0..<3 { await uses.note(session, at: time) { Issue.record($0) } }
    #expect(count.withLock { $0 } == 1)
    opening.finish()
    try await eventually("the next use is recorded") {
      await uses.note(session, at: time) { Issue.record($0) }
      return count.withLock { $0 } > 1
    }
  }

  @Test func `a use is recorded when the call returns, and a failure is reported`() async throws {
    struct Failure: Error {}
    let failures = Mutex(0)
    let uses = SessionUses { _, _ in throw Failure() }
    let time = Timestamp(millisecondsSince1970: 0)
    let session = Session(
      id: SessionID(UUID()), person: UserID(UUID()), createdAt: time, lastUsedAt: time, client: nil)
    for _ in 0..<2 {
      await uses.note(session, at: time) { _ in failures.withLock { $0 += 1 } }
    }
    #expect(failures.withLock { $0 } == 2)
  }
}
