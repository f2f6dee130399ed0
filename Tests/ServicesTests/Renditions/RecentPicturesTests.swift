import Bytes
import Memes
import Synchronization
import Testing

@testable import Services

struct RecentPicturesTests {
  private final class Artist: Sendable {
    private let drawn = Mutex<[Int]>([])
    let pictures: RecentPictures<Int>

    init(capacityBytes: Int, keyBytes: @escaping @Sendable (Int) -> Int = { _ in 0 }) {
      pictures = RecentPictures(capacityBytes: capacityBytes, keyBytes: keyBytes)
    }

    /// The pictures that were drawn, in order.
    var all: [Int] { drawn.withLock { $0 } }

    func show(_ number: Int, bytes: Int = 1000) async throws {
      _ = try await pictures.file(number) { [self] in
        drawn.withLock { $0.append(number) }
        let bytes = Bytes([UInt8](repeating: 0, count: bytes))
        let facts = PictureFacts(
          size: PixelSize(width: 1, height: 1), format: .png, byteCount: bytes.count,
          digest: Digest { _ in })
        return PictureFile(facts: facts, bytes: bytes)
      }
    }
  }

  @Test func `a picture is drawn again only after others have replaced it`() async throws {
    // Each half has room for four.
    let artist = Artist(capacityBytes: 20_000)
    for number in 0..<4 { try await artist.show(number) }
    for number in 0..<4 { try await artist.show(number) }
    #expect(artist.all == [0, 1, 2, 3])
    // The used one moves to the newer half, and the others are removed with the older one.
    try await artist.show(4)
    try await artist.show(0)
    for number in 5..<8 { try await artist.show(number) }
    try await artist.show(0)
    try await artist.show(1)
    #expect(artist.all == [0, 1, 2, 3, 4, 5, 6, 7, 1])
  }

  @Test func `keys count, so that small pictures with long keys do not fill the memory`()
    async throws
  {
    let artist = Artist(capacityBytes: 20_000) { _ in 8000 }
    // Each half has room for one.
    for number in [1, 2, 3, 1] { try await artist.show(number, bytes: 1) }
    #expect(artist.all == [1, 2, 3, 1])
    try await artist.show(3, bytes: 1)
    #expect(artist.all.count == 4)
  }

  @Test func `a picture that is too large, and any picture without room, is not kept`() async throws
  {
    let artist = Artist(capacityBytes: 20_000)
    for _ in 0..<2 { try await artist.show(1, bytes: 10_000) }
    #expect(artist.all == [1, 1])
    let none = Artist(capacityBytes: 0)
    for _ in 0..<2 { try await none.show(1, bytes: 1) }
    #expect(none.all == [1, 1])
  }
}
