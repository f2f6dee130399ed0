/// Something that changed what people may see.
package enum MemeChange: Hashable, Sendable {
  case created(MemeID)
  /// The meme is at another version.
  case edited(MemeID)
  /// Somebody has it now, who may do with it what nobody could.
  case claimed(MemeID)
  /// Nobody sees the meme any more.
  case deleted(MemeID)
  /// The meme is what and where it was before it was deleted.
  case restored(MemeID)
  /// What is counted of it changed, and nothing else: it was shared, liked, commented on.
  case counted(MemeID)
  /// A deleted meme cannot be restored any more.
  case purged(MemeID)
  /// This person's memes are not what they were: clients that hold a copy of them are behind. Told beside what happened.
  case sequenced(of: UserID)
  /// A session of this person ended, or they may use none any more.
  case signedOut(UserID)
  /// Any number of memes are not what they were: the name of their author changed, or their author left.
  case many
}

/// Hears of every change of a store.
package protocol ChangeObserver: Sendable {
  /// Called once for each change: when it is durable, and before whoever asked for it is told; in the order in which the
  /// changes were committed.
  ///
  /// Changes may share a commit; then all of them are true when the first is told.
  /// No other write begins meanwhile, so it is short, and it must not wait for a write. It is called on a thread of the store.
  /// A read that began before the change was committed may still end after this call, with what was true before.
  func changed(_ change: MemeChange)
}
