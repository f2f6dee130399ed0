import SQL
import SQLite

extension LibraryStore {
  /// Identifies a file as a library: "MeLi" in ASCII.
  static let applicationID: Int32 = 0x4D65_4C69

  /// Do not edit a migration after its release. Append a new one instead.
  static let migrations = [
    Migration(name: "0001_library", sql: first), Migration(name: "0002_later", sql: second),
    Migration(name: "0003_pieces", sql: third), Migration(name: "0004_members", sql: fourth),
  ]

  /// The number of times that memes got members that earlier versions of the library drop. If it rises, existing
  /// libraries read everything again.
  static let memberSets = 1

  private static let fourth = """
    -- `LibraryStore.memberSets` of the version that began to read from the beginning.
    ALTER TABLE library ADD COLUMN member_sets INTEGER NOT NULL DEFAULT 0;
    UPDATE library SET member_sets = 1 WHERE cursor IS NULL;
    """

  private static let third = """
    -- The upload that the server gathers the picture's pieces in; NULL where none was begun.
    ALTER TABLE originals ADD COLUMN upload TEXT;
    """

  private static let second = """
    -- JSON: of the draft of a creation, what was changed when it may have reached the server already; NULL where nothing was.
    ALTER TABLE drafts ADD COLUMN later TEXT;
    """

  private static let first = """
    -- One row: whose library it is, and how far it has read the changes.
    CREATE TABLE library (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      -- Who the server says is signed in; NULL before anybody was.
      person TEXT,
      -- Behind the last change that is in `memes`; NULL where reading begins at the beginning.
      cursor TEXT,
      -- Whether all was read once since it began at the beginning. Until then nothing is sent.
      is_whole INTEGER NOT NULL CHECK (is_whole IN (0, 1)),
      -- Counts the beginnings.
      generation INTEGER NOT NULL
    ) STRICT;
    INSERT INTO library (id, is_whole, generation) VALUES (1, 0, 1);

    -- The memes as the server has them, as far as that is known. What waits to be sent is not in here.
    CREATE TABLE memes (
      id TEXT PRIMARY KEY,
      version INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      -- The server's JSON.
      json TEXT NOT NULL,
      -- The beginning since which it was last seen.
      generation INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX memes_newest ON memes (created_at DESC, id DESC);

    -- What the server is still to be told, in this order; of one meme strictly so.
    CREATE TABLE outbox (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      meme TEXT NOT NULL,
      kind INTEGER NOT NULL CHECK (kind IN (1, 2, 3)),
      created_at INTEGER NOT NULL,
      -- JSON: all of a new meme, or the changes of an edit.
      content TEXT,
      -- The Idempotency-Key of a creation, made with it.
      key TEXT,
      -- The version that an edit was made on; NULL where that is what the entry before it makes.
      version INTEGER,
      -- The server's JSON of that version.
      base TEXT,
      -- Whether the server may have been told. Is durable before it is.
      was_attempted INTEGER NOT NULL DEFAULT 0 CHECK (was_attempted IN (0, 1))
    ) STRICT;
    CREATE INDEX outbox_by_meme ON outbox (meme, number);
    CREATE INDEX outbox_creations ON outbox (created_at DESC, meme DESC) WHERE kind = 1;

    -- Changes that were not taken, for the person to decide about.
    CREATE TABLE drafts (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      meme TEXT NOT NULL,
      kind INTEGER NOT NULL CHECK (kind IN (1, 2, 3)),
      created_at INTEGER NOT NULL,
      content TEXT,
      base TEXT,
      -- JSON: why it was not taken.
      reason TEXT NOT NULL
    ) STRICT;
    CREATE INDEX drafts_by_meme ON drafts (meme);
    CREATE INDEX drafts_creations ON drafts (created_at DESC, meme DESC) WHERE kind = 1;

    -- The pictures of creations that wait, or are drafts.
    CREATE TABLE originals (
      meme TEXT PRIMARY KEY,
      bytes BLOB NOT NULL
    ) STRICT;

    -- Deletions whose creation may still be on its way: where such a meme turns up, it is deleted again.
    CREATE TABLE withdrawn (
      meme TEXT PRIMARY KEY,
      created_at INTEGER NOT NULL
    ) STRICT;

    -- What the server drew, kept to be seen again: 1 for a table, 2 for a grid, 3 the whole image.
    CREATE TABLE pictures (
      meme TEXT NOT NULL,
      kind INTEGER NOT NULL CHECK (kind IN (1, 2, 3)),
      version INTEGER NOT NULL,
      seen_at INTEGER NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (meme, kind)
    ) STRICT;
    CREATE INDEX pictures_by_use ON pictures (seen_at) WHERE kind = 3;
    """
}
