import Foundation
import Support

/// Every version that the server's memes ever had. A trigger records them in the database, because
/// the API only returns the latest one.
struct SyncHistory {
  struct Version {
    let number: Int
    let bottom: String
    let isDeleted: Bool
  }

  /// The versions by meme id, oldest first.
  private var versions: [String: [Version]]

  /// Adds the table and the triggers to the database of a server that will start in this folder.
  static func begin(in folder: URL) async throws {
    let note = """
      INSERT INTO sync_history (meme, version, bottom, is_deleted)
      VALUES (lower(hex(new.id)), new.version, new.bottom, new.deleted_at IS NOT NULL);
      """
    for statement in [
      """
      CREATE TABLE sync_history (
        number INTEGER PRIMARY KEY, meme TEXT NOT NULL, version INTEGER NOT NULL, bottom TEXT NOT NULL,
        is_deleted INTEGER NOT NULL
      ) STRICT
      """, "CREATE TRIGGER sync_made AFTER INSERT ON memes BEGIN \(note) END",
      "CREATE TRIGGER sync_changed AFTER UPDATE OF bottom, deleted_at ON memes BEGIN \(note) END",
    ] { try await editDatabase(in: folder, statement) }
  }

  init(_ versions: [String: [Version]]) { self.versions = versions }

  /// Joins histories in order. A restore begins a new history, which may repeat the beginning of the previous one.
  init(_ histories: [SyncHistory]) {
    self.init([:])
    for history in histories { versions.merge(history.versions, uniquingKeysWith: +) }
  }

  /// Reads the history. The server must have stopped.
  init(in folder: URL) async throws {
    self.init([:])
    let rows = try await texts(
      in: folder, columns: 4,
      "SELECT meme, CAST(version AS TEXT), bottom, CAST(is_deleted AS TEXT) FROM sync_history ORDER BY number"
    )
    for row in rows {
      versions[row[0], default: []].append(
        Version(number: Int(row[1]) ?? 0, bottom: row[2], isDeleted: row[3] == "1"))
    }
  }

  func versions(of meme: String) -> [Version] { versions[meme.replacing("-", with: "")] ?? [] }
}
