/// A change of the data that users see.
package enum MemeChange: Hashable, Sendable {
  case created(MemeID)
  /// The meme has a new version.
  case edited(MemeID)
  /// A user claimed the meme, and now has an owner's rights on it.
  case claimed(MemeID)
  /// The meme is no longer visible.
  case deleted(MemeID)
  /// The meme is visible again, in its old place and unchanged.
  case restored(MemeID)
  /// Only the counts of the meme changed: it was shared, liked or commented on.
  case counted(MemeID)
  /// A deleted meme can no longer be restored.
  case purged(MemeID)
  /// The memes of this user changed, so clients with a copy must sync. Sent in addition to the actual change.
  case sequenced(of: UserID)
  /// A session of this user ended, or the user may no longer use any session.
  case signedOut(UserID)
  /// The template was changed or deleted.
  case templateChanged(TemplateID)
  /// Any number of memes changed: their author changed the display name or the avatar or deleted the account, or the
  /// search index was extended.
  case many
  /// Changes of any kind may have been missed.
  case missed
}

/// Observes every change of a store.
package protocol ChangeObserver: Sendable {
  /// Called once for each change, in commit order. The change is durable by then, and its caller has not returned yet.
  ///
  /// Several changes may share a commit. They are all visible when the first of them is reported. No other write begins
  /// during the call, so it must be short, and it must not wait for a write. It is called on a thread of the store. A
  /// read that began before the commit may still return the old data after this call.
  func changed(_ change: MemeChange)
}
