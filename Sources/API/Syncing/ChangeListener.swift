import Memes

/// A client that waits for changes of its user's memes. The subscription and the
/// lease end when the last copy is released.
struct ChangeListener: Sendable {
  let viewer: Principal
  /// To the viewer's memes.
  let subscription: ChangeSubscription
  let lease: LongPollQuota.Lease
}
