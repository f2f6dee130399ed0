package import PostgreSQL
import SQL

/// A PostgreSQL database whose pictures are in an object store.
package struct ObjectDatabase: Database {
  package let readers: PostgreSQLReaders
  package let writer: PostgreSQLWriter
  let blobs: Blobs

  package init(_ database: PostgreSQLDatabase, _ blobs: Blobs) {
    (readers, writer, self.blobs) = (database.readers, database.writer, blobs)
  }
}

extension Database {
  /// Where the bytes of the database's pictures are.
  var blobs: Blobs { (self as? ObjectDatabase)?.blobs ?? Blobs() }
}
