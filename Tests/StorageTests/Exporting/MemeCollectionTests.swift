import Foundation
import Memes
import SQL
import SQLite
import Storage
import Testing

@testable import Storage

/// All memes in order of time, as an export reads them, and the lookups of an import.
struct MemeCollectionTests {
  private func walk(_ collection: MemeCollection, of author: UserID? = nil) throws -> [MemeID] {
    var ids: [MemeID] = []
    var place = CollectionPlace(
      createdAt: Timestamp(millisecondsSince1970: .min), sequence: .min)
    while let last = try collection.memes(of: author, after: place, limit: 2).last {
      ids += try collection.memes(of: author, after: place, limit: 2).map(\.id)
      place = last.place
    }
    return ids
  }

  @Test func `memes come in order of time, each once, without the trash`() async throws {
    try await withStore { store in
      let collection = MemeCollection(store.database.readers, store.database.blobs)
      let times: [Int64] = [5, 1, 3, 3, 3, 2, 9]
      var memes: [(time: Int64, id: MemeID)] = []
      for time in times {
        let new = try newMeme(at: time)
        _ = try await store.memes.insert(new)
        memes.append((time, new.meme.id))
      }
      try await store.memes.delete(
        memes[5].id, if: .any, by: .admin, at: Timestamp(millisecondsSince1970: 10),
        restorable: true, recording: nil)
      let kept = memes.enumerated().filter { $0.offset != 5 }
        .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element.id)
      #expect(try walk(collection) == kept)
      #expect(try collection.count(of: nil) == kept.count)
      let nobody = UserID(UUID())
      #expect(try walk(collection, of: nobody).isEmpty)
      #expect(try collection.count(of: nobody) == 0)

      let catalogue = ImportCatalogue(store.database.readers)
      #expect(try catalogue.status(of: memes[0].id) == .there)
      #expect(try catalogue.status(of: memes[5].id) == .deleted)
      _ = try await store.memes.purge(
        deletedUpTo: Timestamp(millisecondsSince1970: 10), PurgeBatch(count: 9, bytes: 1 << 30))
      #expect(try catalogue.status(of: memes[5].id) == .deleted)
      #expect(try catalogue.status(of: MemeID(UUID())) == .free)
      #expect(try catalogue.author(named: Username("ada")) == nil)
    }
  }
}
