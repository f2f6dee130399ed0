import Foundation
import Memes
import Synchronization
import Testing

@testable import Services

struct AccessTokenUsesTests {
  @Test func `a use is recorded a minute after one whose write has not ended`() async throws {
    let written = Mutex<[Int64]>([])
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let uses = AccessTokenUses(
      store: { uses in
        written.withLock { $0 += uses.values.map(\.millisecondsSince1970) }
        for await _ in gate {}
      }, report: { Issue.record($0) })
    let token = AccessToken(
      id: AccessTokenID(UUID()), of: UserID(UUID()),
      AccessToken.Terms(
        name: try TokenName("bot"), scopes: try #require(TokenScopes([.read])), expiresAt: nil),
      createdAt: Timestamp(millisecondsSince1970: 0))
    for time in [1000, 60_999, 61_000, 61_001] as [Int64] {
      uses.note(token, at: Timestamp(millisecondsSince1970: time))
      // The write of the first one begins before the second one.
      while written.withLock({ $0.isEmpty }) { await Task.yield() }
    }
    opening.finish()
    await uses.finish()
    #expect(written.withLock { $0 } == [1000, 61_000])
  }
}
