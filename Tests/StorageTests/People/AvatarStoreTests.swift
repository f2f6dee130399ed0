import Bytes
import Memes
import Storage
import Synchronization
import Testing

struct AvatarStoreTests {
  private final class Listener: ChangeObserver {
    private let count = Mutex(0)
    var heard: Int { count.withLock { $0 } }
    func changed(_ change: MemeChange) { count.withLock { $0 += 1 } }
  }

  private func avatar(_ byte: UInt8) throws -> Avatar {
    let bytes = Bytes([byte])
    let facts = PictureFacts(
      size: PixelSize(width: 1, height: 1), format: .jpeg, byteCount: 1, digest: try digest(byte))
    let files = AvatarSize.allCases.map { ($0, PictureFile(facts: facts, bytes: bytes)) }
    return Avatar(files: Dictionary(uniqueKeysWithValues: files))
  }

  @Test func `observers are notified only if memes show another avatar`() async throws {
    try await withStore { store in
      let listener = Listener()
      let avatars = AvatarStore(store.database, observers: [listener])
      let ada = try await store.person("ada").id
      #expect(try await avatars.keep(nil, of: ada).avatar == nil)
      #expect(listener.heard == 0)
      let first = try avatar(1)
      #expect(try await avatars.keep(first, of: ada).avatar == first.version)
      #expect(listener.heard == 1)
      #expect(try await avatars.keep(first, of: ada).avatar == first.version)
      #expect(listener.heard == 1)
      #expect(try await avatars.keep(try avatar(2), of: ada).avatar != first.version)
      #expect(listener.heard == 2)
      #expect(try await avatars.keep(nil, of: ada).avatar == nil)
      #expect(listener.heard == 3)
    }
  }
}
