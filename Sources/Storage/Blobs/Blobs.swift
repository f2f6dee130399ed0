import Bytes
import Foundation
package import Memes
package import Objects

/// The bytes of pictures: in rows of `blobs`, or in an object store whose keys are in these rows.
///
/// With an object store, objects come first: a write puts all of its objects side by side, and then runs the
/// transaction that names them. If that transaction does not commit, the objects belong to no row. ``NewObject``
/// removes them if it never began to name them, and otherwise ``ObjectRecords/discardOrphans(of:)`` finds them. A read
/// gets the key in its transaction, and the object after it, if its bytes are needed at all. Both orders are safe
/// because the bytes of a key never change, and because an object outlives its row by a grace.
///
/// Methods throw ``MemeError/storageStarved(_:)`` if the object store does not answer, and ``MemeError/storage(_:)`` if
/// it has lost an object, or has other bytes than the row describes.
package struct Blobs: Sendable {
  private let objects: (any ObjectStore)?
  private let digest: Digester?
  private let now: @Sendable () -> Timestamp

  /// Bytes in rows.
  package init() { (objects, digest, now) = (nil, nil, { .now() }) }

  /// Bytes in an object store.
  ///
  /// - Parameters:
  ///   - digest: compared with the row at each read; `nil` compares only the length.
  ///   - now: the day is a part of a key.
  package init(
    in objects: any ObjectStore, verifying digest: Digester?,
    now: @escaping @Sendable () -> Timestamp = { .now() }
  ) {
    (self.objects, self.digest, self.now) = (objects, digest, now)
  }

  /// Whether new bytes become objects.
  var areObjects: Bool { objects != nil }

  /// Stores new bytes, unless a row will hold them.
  func prepare(_ bytes: Bytes) async throws -> NewBlob {
    guard let objects else { return .bytes(bytes) }
    let key = ObjectDay(now()).newKey()
    do throws(ObjectError) { try await objects.put(bytes, at: key) } catch {
      throw MemeError(error)
    }
    return .object(NewObject(key, in: objects))
  }

  /// Does the same on the calling thread, which blocks until then. The key is one that no object has.
  func blockingPrepare(_ bytes: Bytes) throws(ObjectError) -> NewBlob {
    guard let objects else { return .bytes(bytes) }
    let key = ObjectDay(now()).newKey()
    try patiently { () throws(ObjectError) in try objects.blockingPut(bytes, at: key) }
    return .object(NewObject(key, in: objects))
  }

  /// Copies an object within the object store.
  func copy(_ stored: ObjectKey) async throws -> NewBlob {
    let key = ObjectDay(now()).newKey()
    do throws(ObjectError) {
      let objects = try store()
      try await objects.copy(stored, to: key)
      return .object(NewObject(key, in: objects))
    } catch { throw MemeError(error, stored) }
  }

  /// A file. Its bytes are not read yet if they are an object.
  func file(_ placed: PlacedFile) -> StoredPictureFile {
    switch placed.blob {
    case .bytes(let bytes): StoredPictureFile(PictureFile(facts: placed.facts, bytes: bytes))
    case .object(let key):
      StoredPictureFile(placed.facts, ObjectBytes(key: key, facts: placed.facts, blobs: self))
    }
  }

  /// Up to this length, an object is read as a whole even for a part of it, because the digest of a row can only verify
  /// the whole. To transfer so few bytes takes about as long as to ask for them.
  package static let mostReadWhole = 256 << 10

  /// A part of an object, or the whole. A part of a long object is not compared with the digest.
  fileprivate func bytes(
    in range: Range<Int>, of key: ObjectKey, _ facts: PictureFacts
  ) async throws -> Bytes {
    do throws(ObjectError) {
      if facts.byteCount > Self.mostReadWhole, range.count < facts.byteCount {
        return try await store().get(key, range, of: facts.byteCount)
      }
      let bytes = try await store().get(key, upTo: facts.byteCount)
      guard let part = try verified(bytes, as: facts).bytes.slice(range) else {
        throw .rejected("\(facts.byteCount) bytes have no part \(range)")
      }
      return part
    } catch { throw MemeError(error, key) }
  }

  /// Does the same on the calling thread, which blocks until then. For threads that may wait.
  func blockingFile(_ placed: PlacedFile) throws -> PictureFile {
    switch placed.blob {
    case .bytes(let bytes): return PictureFile(facts: placed.facts, bytes: bytes)
    case .object(let key):
      do throws(ObjectError) {
        let bytes = try store().blockingGet(key, upTo: placed.facts.byteCount)
        return try verified(bytes, as: placed.facts)
      } catch { throw MemeError(error, key) }
    }
  }

  /// Does the same for a check, which must not take an outage for damage.
  ///
  /// - Throws: ``MemeError/storage(_:)`` if the object is lost or damaged; `ObjectError` if the store does not answer
  ///   for a minute, or refuses the request.
  func checkedFile(_ placed: PlacedFile) throws -> PictureFile {
    guard case .object(let key) = placed.blob else { return try blockingFile(placed) }
    do throws(ObjectError) {
      let bytes = try blockingBytes(of: key, upTo: placed.facts.byteCount)
      return try verified(bytes, as: placed.facts)
    } catch {
      switch error {
      case .absent, .unreadable: throw MemeError(error, key)
      case .unavailable, .rejected: throw error
      }
    }
  }

  /// The bytes of an object, on the calling thread, which blocks until then. They are not compared with a row.
  func blockingBytes(of key: ObjectKey, upTo limit: Int) throws(ObjectError) -> Bytes {
    let objects = try store()
    return try patiently { () throws(ObjectError) in try objects.blockingGet(key, upTo: limit) }
  }

  /// How long a copy or a check of all objects waits for a store that does not answer. It would have to begin anew.
  private static let patience = Duration.seconds(60)

  private func patiently<Value>(
    _ body: () throws(ObjectError) -> Value
  ) throws(ObjectError) -> Value {
    let end = ContinuousClock.now + Self.patience
    while true {
      do throws(ObjectError) { return try body() } catch {
        guard case .unavailable = error, ContinuousClock.now < end else { throw error }
        Thread.sleep(forTimeInterval: 1)
      }
    }
  }

  private func store() throws(ObjectError) -> any ObjectStore {
    guard let objects else { throw .rejected("no object store is set") }
    return objects
  }

  private func verified(
    _ bytes: Bytes, as facts: PictureFacts
  ) throws(ObjectError) -> PictureFile {
    guard bytes.count == facts.byteCount else {
      throw .unreadable("\(bytes.count) bytes instead of \(facts.byteCount)")
    }
    if let digest, digest(bytes) != facts.digest { throw .unreadable("the digest differs") }
    return PictureFile(facts: facts, bytes: bytes)
  }
}

/// The bytes of a row that are an object.
private struct ObjectBytes: RemoteBytes {
  let key: ObjectKey
  let facts: PictureFacts
  let blobs: Blobs

  var count: Int { facts.byteCount }

  func bytes(in range: Range<Int>) async throws -> Bytes {
    try await blobs.bytes(in: range, of: key, facts)
  }
}

extension MemeError {
  /// Maps an error of the object store. Only this extension does so.
  ///
  /// - Parameter key: the object that should be there.
  init(_ error: ObjectError, _ key: ObjectKey? = nil) {
    self =
      if case .unavailable = error { .storageStarved(error) } else {
        .storage(key.map { FailedObject(key: $0, error: error) } ?? error)
      }
  }
}

/// The object of a row that cannot be read.
private struct FailedObject: Error, CustomStringConvertible {
  let key: ObjectKey
  let error: ObjectError

  var description: String { "object \(key.text): \(error)" }
}
