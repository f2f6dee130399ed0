import Bytes
import Foundation
import Memes
import PostgreSQL
import SQL
import SQLite
import Services
import Support
import Synchronization
import Testing

@testable import Storage

/// Tests ``ResumableUploads`` on its store, with a reader that the test controls.
@Suite struct ResumingTests {
  /// Returns the same facts for every file, or throws.
  private final class Reader: PictureReader {
    let refusal = Mutex<MemeError?>(nil)
    let seen = Mutex<[Bytes]>([])

    func facts(of picture: Bytes) async throws -> PictureFacts {
      seen.withLock { $0.append(picture) }
      if let refusal = refusal.withLock(\.self) { throw refusal }
      guard let digest = Digest([UInt8](repeating: 3, count: 32)) else { throw MemeError.notFound }
      return PictureFacts(
        size: PixelSize(width: 30, height: 20), format: .webp, byteCount: picture.count,
        digest: digest)
    }
  }

  private func resuming(
    _ store: Scratch, _ reader: Reader = Reader(), on uploads: (any UnfinishedUploadStore)? = nil,
    count: Int = 9, bytes: Int = 1 << 20
  ) -> ResumableUploads {
    ResumableUploads(
      store: uploads ?? store.uploads, reader: reader,
      place: SpoolPlace(directory: store.folder.path),
      limit: UnfinishedUploadLimit(count: count, bytes: bytes), room: StorageRoom { true },
      context: ServiceContext(
        now: { Timestamp(millisecondsSince1970: 0) },
        digest: { bytes in
          Digest { memory in
            bytes.withUnsafeBytes { memory.copyMemory(from: .init(rebasing: $0.suffix(32))) }
          }
        }, hasRoom: { true },
        idempotency: Idempotency(store: store.retries) { Timestamp(millisecondsSince1970: 0) }))
  }

  private let network = ClientNetwork(String(repeating: "n", count: 32))

  @discardableResult
  private func send(
    _ text: String, to id: UploadID, at offset: Int, _ resuming: ResumableUploads
  ) async throws -> UploadProgress {
    let piece = try await resuming.piece(of: id, at: offset)
    try Bytes(text).withUnsafeBytes { bytes in try piece.receive(bytes) }
    return try await piece.end().value.get()
  }

  @Test(arguments: [["abcdefghij"], ["a", "bcdefghi", "j"], ["abc", "def", "ghij"]])
  func `pieces become the upload, in their order`(pieces: [String]) async throws {
    try await withStore { store in
      let reader = Reader()
      let resuming = resuming(store, reader)
      let id = try await resuming.begin(byteCount: 10, by: .anonymous, from: network).id
      var offset = 0
      for piece in pieces {
        offset += piece.utf8.count
        let progress = try await send(piece, to: id, at: offset - piece.utf8.count, resuming)
        #expect(progress.offset == offset)
        #expect(try await resuming.progress(of: id) == progress)
      }
      #expect(reader.seen.withLock(\.self) == [Bytes("abcdefghij")])
      #expect(
        try store.uploads.bytes(of: id, at: Timestamp(millisecondsSince1970: 0))
          == Bytes("abcdefghij"))
      #expect(try store.database.integer("SELECT count(*) FROM upload_pieces") == 0)
      #expect(try store.database.integer("SELECT count(*) FROM unfinished_uploads") == 0)
      let totals = try await StoredTotals(in: store.database)
      #expect(totals.uploads == 1)
      #expect(totals.unfinishedUploads == 0 && totals.unfinishedUploadBytes == 0)
    }
  }

  @Test(arguments: [["abcdefghij"], ["abcdef", "ghij"], ["abcdefghi", "j"]])
  func `an upload that cannot be checked now keeps all but its last byte`(
    pieces: [String]
  ) async throws {
    try await withStore { store in
      let reader = Reader()
      reader.refusal.withLock { $0 = .overloaded() }
      let resuming = resuming(store, reader)
      let id = try await resuming.begin(byteCount: 10, by: .anonymous, from: network).id
      var offset = 0
      for piece in pieces.dropLast() {
        try await send(piece, to: id, at: offset, resuming)
        offset += piece.utf8.count
      }
      let last = pieces.last ?? ""
      for _ in 0..<2 {
        #expect(
          await failure {
            try await send(String(last.suffix(10 - offset)), to: id, at: offset, resuming)
          } == "overloaded")
        offset = try await resuming.progress(of: id).offset
        #expect(offset == 9)
      }
      reader.refusal.withLock { $0 = nil }
      #expect(try await send("j", to: id, at: 9, resuming).picture != nil)
      #expect(reader.seen.withLock(\.last) == Bytes("abcdefghij"))
    }
  }

  @Test func `a file that is not a picture is removed with all of its pieces`() async throws {
    try await withStore { store in
      let reader = Reader()
      let resuming = resuming(store, reader)
      for refusal in [
        MemeError.unsupportedPicture,
        .invalid(field: "image", InvalidValue(code: "broken-picture", message: "")),
      ] {
        reader.refusal.withLock { $0 = refusal }
        let id = try await resuming.begin(byteCount: 4, by: .anonymous, from: network).id
        try await send("ab", to: id, at: 0, resuming)
        do {
          try await send("cd", to: id, at: 2, resuming)
          Issue.record("it was taken")
        } catch {
          if case MemeError.invalid(let field, _) = error { #expect(field == "body") }
        }
        #expect(
          await failure { _ = try await resuming.progress(of: id) } == "notFound")
      }
      #expect(try store.database.integer("SELECT count(*) FROM upload_pieces") == 0)
    }
  }

  @Test func `an upload receives one piece at a time, which ends once`() async throws {
    try await withStore { store in
      let resuming = resuming(store)
      let id = try await resuming.begin(byteCount: 10, by: .anonymous, from: network).id
      var piece: UploadChunk? = try await resuming.piece(of: id, at: 0)
      #expect(
        await failure { _ = try await resuming.piece(of: id, at: 0) }
          == "uploadBusy")
      // As a rejected request does.
      piece = nil
      piece = try await resuming.piece(of: id, at: 0)
      let held = try #require(piece)
      try Bytes("abc").withUnsafeBytes { bytes in try held.receive(bytes) }
      #expect(try await resuming.progress(of: id).offset == 0)
      #expect(try await resuming.settledProgress(of: id).offset == 3)
      #expect(
        await failure {
          try Bytes("d").withUnsafeBytes { bytes in try held.receive(bytes) }
        } == "uploadBusy")
      #expect(try await held.end().value.get().offset == 3)
      // A reference to the ended piece does not block others.
      try await send("defg", to: id, at: 3, resuming)
      #expect(try await held.end().value.get().offset == 3)
      await resuming.settle()
      #expect(try await resuming.progress(of: id).offset == 7)
    }
  }

  @Test func `while a piece looks up the offset, no other piece is stored`() async throws {
    try await withStore { store in
      let uploads = PausingUploads(store.uploads)
      let resuming = resuming(store, on: uploads)
      let id = try await resuming.begin(byteCount: 10, by: .anonymous, from: network).id
      uploads.pauseAfterTheNextLook()
      async let slow = resuming.piece(of: id, at: 0)
      for await _ in uploads.looked.stream { break }
      // It would complete the upload. The slow piece, which saw an empty upload, would then overwrite it.
      #expect(
        await failure {
          try await send("abcdefghij", to: id, at: 0, resuming)
        } == "uploadBusy")
      uploads.goOn.continuation.yield()
      let piece = try await slow
      try Bytes("ABCDEFGHIJ").withUnsafeBytes { bytes in try piece.receive(bytes)
      }
      #expect(try await piece.end().value.get().picture != nil)
      #expect(
        await failure { try await send("", to: id, at: 0, resuming) }
          == "offsetMismatch")
    }
  }

  @Test func `a piece continues at the current offset or is rejected`() async throws {
    try await withStore { store in
      let resuming = resuming(store)
      let id = try await resuming.begin(byteCount: 10, by: .anonymous, from: network).id
      let uploads = store.uploads
      let zero = Timestamp(millisecondsSince1970: 0)
      let day = Upload.expiry(madeAt: zero)
      try await uploads.append(Bytes("abc"), to: id, at: 0, until: day, at: zero)
      for offset in [0, 2, 4] {
        #expect(
          await failure {
            try await uploads.append(Bytes("x"), to: id, at: offset, until: day, at: zero)
          } == "offsetMismatch")
      }
      #expect(
        await failure {
          try await uploads.append(Bytes("x"), to: id, at: 3, until: day, at: day)
        } == "notFound")
      #expect(try store.database.integer("SELECT count(*) FROM upload_pieces") == 1)
    }
  }

  @Test func `small pieces share a row, and large ones do not`() async throws {
    try await withStore { store in
      let reader = Reader()
      let resuming = resuming(store, reader)
      let whole = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ $0 / 253) }
      let id = try await resuming.begin(byteCount: whole.count, by: .anonymous, from: network).id
      var (offset, rows) = (0, [Int]())
      for count in [1, 1, 3000, 62_533, 1, 1, 70_000, 5, 64_000, 100, 100, 100_258] {
        let piece = try await resuming.piece(of: id, at: offset)
        try Bytes(Array(whole[offset..<offset + count])).withUnsafeBytes {
          bytes in
          try piece.receive(bytes)
        }
        offset = try await piece.end().value.get().offset
        rows.append(try store.database.integer("SELECT count(*) FROM upload_pieces") ?? -1)
      }
      #expect(rows == [1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 0])
      #expect(offset == whole.count)
      #expect(reader.seen.withLock(\.last) == Bytes(whole))
    }
  }

  @Test func `expired partial uploads are removed after whole ones, by their index`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let resuming = resuming(store)
      var ids: [UploadID] = []
      for _ in 0..<3 {
        let id = try await resuming.begin(byteCount: 1000, by: .anonymous, from: network).id
        try await send(String(repeating: "x", count: 500), to: id, at: 0, resuming)
        ids.append(id)
      }
      let day = Upload.expiry(madeAt: Timestamp(millisecondsSince1970: 0))
      let early = Timestamp(millisecondsSince1970: day.millisecondsSince1970 - 1)
      func purge(_ count: Int, _ bytes: Int, _ time: Timestamp) async throws -> Int {
        try await store.uploads.purgeUploads(
          expiredAt: time, PurgeBatch(count: count, bytes: bytes))
      }
      #expect(try await purge(9, 9999, early) == 0)
      #expect(try await purge(1, 9999, day) == 1)
      #expect(try await purge(9, 1, day) == 1)
      #expect(try await StoredTotals(in: store.database).unfinishedUploadBytes == 500)
      #expect(try await purge(9, 9999, day) == 1)
      #expect(try await purge(9, 9999, day) == 0)
      #expect(try store.database.integer("SELECT count(*) FROM upload_pieces") == 0)
      for (query, index) in [
        (UploadStore.unfinishedDueQuery(.sqlite), "unfinished_uploads_expiry"),
        (UploadStore.begunQuery, "unfinished_uploads_of_beginner"),
      ] {
        let plan = try await store.database.readers.read { db in
          try db.plan(of: query, 0, 1)
        }
        #expect(plan.count == 1 && plan[0].contains(index), "\(plan)")
      }
    }
  }

  @Test(.enabled(if: Engine.tested.contains(.postgreSQL)))
  func `an upload that a client continues while it expires is not removed`() async throws {
    try await withStore(on: [.postgreSQL]) { store in
      let database = try #require(store.database as? PostgreSQLDatabase)
      let upload = UploadProgress(
        id: UploadID(UUID()), byteCount: 10, offset: 0,
        expiresAt: Timestamp(millisecondsSince1970: 1000))
      let end = Timestamp(millisecondsSince1970: 1500)
      try await store.uploads.begin(
        upload, by: .anonymous, countedFor: try digest(255),
        within: UnfinishedUploadLimit(count: 9, bytes: 100), at: Timestamp(millisecondsSince1970: 5)
      )
      // Stops before COMMIT.
      let stepped = SteppedDatabase(database, after: 6)
      let gate = stepped.writer.gate
      async let piece: Void = Self.appending("abc", to: upload.id, in: stepped, gate)
      try await blocking { gate.waitForStop() }
      #expect(gate.hasStopped)
      async let purge = store.uploads.purgeUploads(expiredAt: end, .standard)
      try await store.waitForLock()
      gate.letGoOn()
      try await piece
      let count = try await purge
      #expect(count == 0)
      #expect(try await store.uploads.progress(of: upload.id, at: end)?.offset == 3)
    }
  }

  private static func appending(
    _ piece: String, to upload: UploadID, in database: SteppedDatabase, _ gate: StepGate
  ) async throws {
    defer { gate.end() }
    try await UploadStore(database).append(
      Bytes(piece), to: upload, at: 0, until: Timestamp(millisecondsSince1970: 2000),
      at: Timestamp(millisecondsSince1970: 900))
  }

  @Test func `each requester's unfinished uploads are limited in number and size`() async throws {
    try await withStore { store in
      let resuming = resuming(store, count: 3, bytes: 100)
      let other = ClientNetwork(String(repeating: "o", count: 32))
      func begin(_ count: Int, _ network: ClientNetwork) async -> String {
        await failure {
          _ = try await resuming.begin(byteCount: count, by: .anonymous, from: network)
        }
      }
      #expect(await begin(60, network) == "none")
      #expect(await begin(41, network) == "tooManyUploads")
      #expect(await begin(40, network) == "none")
      #expect(await begin(1, network) == "tooManyUploads")
      for _ in 0..<3 { #expect(await begin(1, other) == "none") }
      #expect(await begin(1, other) == "tooManyUploads")
    }
  }
}
