import Bytes
import Memes
import Objects
import SQL
import Synchronization

/// Bytes that are ready to be written to a row of `blobs`.
enum NewBlob: Sendable {
  case bytes(Bytes)
  /// They are already in the object store.
  case object(NewObject)

  /// Inserts a row with a given number, which no row has.
  func insert(as number: Int64, in db: borrowing Transaction) throws {
    switch self {
    case .bytes(let bytes):
      try db.post("INSERT INTO blobs (id, bytes) VALUES (?, ?)", number, bytes)
    case .object(let new):
      try db.post("INSERT INTO blobs (id, object_key) VALUES (?, ?)", number, new.named().text)
    }
  }

  /// - Returns: the number of the row.
  func insert(in db: borrowing Transaction) throws -> Int64 {
    switch self {
    case .bytes(let bytes):
      try db.insert("INSERT INTO blobs (bytes) VALUES (?) RETURNING id", bytes)
    case .object(let new):
      try db.insert("INSERT INTO blobs (object_key) VALUES (?) RETURNING id", new.named().text)
    }
  }
}

/// An object that is about to be named by a row.
///
/// If no transaction tries that, such as because the request exceeds a quota, the object is removed when the last
/// reference to it goes. So refused requests do not fill the bucket until the next sweep. If a transaction did try, its
/// outcome may be unknown, and the object stays for the sweep to decide.
final class NewObject: Sendable {
  private let key: ObjectKey
  private let objects: any ObjectStore
  private let wasNamed = Atomic<Bool>(false)

  init(_ key: ObjectKey, in objects: any ObjectStore) { (self.key, self.objects) = (key, objects) }

  /// The key, for a row.
  func named() -> ObjectKey {
    wasNamed.store(true, ordering: .relaxed)
    return key
  }

  deinit {
    guard !wasNamed.load(ordering: .relaxed) else { return }
    // If that fails too, the sweep finds the object.
    Task { [objects, key] in try? await objects.remove(key) }
  }
}

/// What a row of `blobs` holds.
enum StoredBlob: Sendable {
  case bytes(Bytes)
  case object(ObjectKey)

  /// Reads a row.
  ///
  /// - Throws: an error if the row does not exist.
  init(_ number: Int64, in db: borrowing Transaction) throws {
    guard db.dialect == .postgreSQL else {
      self = .bytes(try db.blob(table: "blobs", column: "bytes", row: number))
      return
    }
    let found = try db.first("SELECT object_key, bytes FROM blobs WHERE id = ?", number) { row in
      let key = try row.next() as String?
      return try key.map { .object(try ObjectKey(stored: $0)) } ?? .bytes(try row.next())
        as StoredBlob
    }
    guard let found else { throw DatabaseError(.misuse, "There is no row \(number) in blobs.") }
    self = found
  }
}

/// A picture file whose bytes may still be in the object store. ``Blobs/file(_:)`` gets them.
struct PlacedFile: Sendable {
  let facts: PictureFacts
  let blob: StoredBlob

  /// Reads the row with the bytes.
  init(_ facts: PictureFacts, _ blob: Int64, in db: borrowing Transaction) throws {
    (self.facts, self.blob) = (facts, try StoredBlob(blob, in: db))
  }
}

/// The key of the object with the bytes; `nil` if they are in the row, as always with SQLite.
func objectKey(of blob: Int64, in db: borrowing Transaction) throws -> ObjectKey? {
  guard db.dialect == .postgreSQL else { return nil }
  let text = try db.first("SELECT object_key FROM blobs WHERE id = ?", blob) { row in
    try row.next() as String?
  }
  return try text.flatMap(\.self).map { try ObjectKey(stored: $0) }
}

extension ObjectKey {
  /// Decodes the key of a row.
  init(stored text: String) throws {
    guard let key = ObjectKey(text) else {
      throw DatabaseError(.corrupt, "\(text) is no key of an object.")
    }
    self = key
  }
}
