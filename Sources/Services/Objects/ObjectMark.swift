import Bytes
import Crypto
package import Memes
package import Objects
package import Storage

/// The object by which a server recognizes the bucket of its database, so that it never mixes up two installations.
package struct ObjectMark: Sendable {
  /// Why a bucket cannot be used with a database.
  package enum Mismatch: Error, Equatable {
    /// The bucket belongs to another database.
    case foreign
    /// The database has another bucket: this one has no mark.
    case other
    /// No server has used the database with a bucket yet.
    case unused
  }

  private let objects: any ObjectStore
  private let records: ObjectRecords
  private let key: ObjectKey

  package init(_ objects: any ObjectStore, _ records: ObjectRecords) throws {
    guard let key = ObjectKey("mark") else { throw MemeError.notFound }
    (self.objects, self.records, self.key) = (objects, records, key)
  }

  /// Checks that the bucket is that of the database. At the first start, it becomes that.
  ///
  /// Several servers may do this at the same time: they put the same mark.
  ///
  /// - Throws: ``Mismatch``, `ObjectError`, and the errors of the database.
  package func confirm(at time: Timestamp) async throws {
    let chosen = Random.bytes(ObjectRecords.markBytes)
    let mark = try await records.choose(chosen, on: ObjectDay(time))
    if try await isThere(mark) == nil {
      guard !mark.isPlaced else { throw Mismatch.other }
      try await objects.put(Bytes(mark.bytes), at: key)
    }
    // Another database may have put its mark at the same moment.
    guard try await isThere(mark) == true else { throw Mismatch.foreign }
    if !mark.isPlaced { try await records.notePlaced() }
  }

  /// Checks that the store answers, and has the mark.
  ///
  /// - Throws: ``Mismatch``, `ObjectError`, and the errors of the database.
  package func check() async throws {
    guard let mark = try await records.mark(), mark.isPlaced else { throw Mismatch.unused }
    guard try await isThere(mark) == true else { throw Mismatch.other }
  }

  /// - Returns: whether the mark in the bucket is this one; `nil` if it has none.
  private func isThere(_ mark: ObjectRecords.Mark) async throws -> Bool? {
    do throws(ObjectError) {
      return try await objects.get(key, upTo: 1024) == Bytes(mark.bytes)
    } catch .absent { return nil }
  }
}
