import Bytes

/// The state of a meme's ID.
package enum ImportStatus: Sendable, Equatable {
  case free
  /// A meme has the ID.
  case there
  /// The meme is in the trash, or was purged and its deletion is still on record.
  case deleted
}
