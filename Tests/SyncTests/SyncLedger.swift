/// What was asked for in a life, by devices and by somebody who uses no device of theirs.
struct SyncLedger {
  /// What is known of a meme.
  struct Known {
    /// The caption that no other meme has.
    let caption: String
    /// Who changed it, and the last of the captions that they gave it.
    var edits: [(by: String, caption: String)] = []
    /// Whether anybody wanted it gone.
    var isUnwanted = false
    /// Whether the server said that it is gone, and nobody wanted it back since.
    var isGone = false
  }

  var memes: [String: Known] = [:]
  /// Captions of memes whose device was killed before it said that it has them.
  var unsure: Set<String> = []

  var ids: [String] { memes.keys.sorted() }
}
