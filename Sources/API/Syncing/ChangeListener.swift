import Memes

/// A client that waits for changes of its user's memes. Deallocation ends the subscription and frees the lease.
struct ChangeListener: Sendable {
  let viewer: Principal
  /// To the viewer's memes.
  let subscription: ChangeSubscription
  let lease: LongPollQuota.Lease
}
