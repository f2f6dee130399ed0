/// The sync state of a meme in a library.
public enum MemeState: Sendable, Hashable {
  /// The server has the displayed state.
  case sent
  /// The meme, or a change to it, waits to be sent.
  case waiting
  /// The meme is being sent. The associated value is the progress from 0 to 1.
  case sending(Double)
  /// The server rejected the meme or a change to it. The change is kept as this draft.
  case failed(LibraryDraft.Refusal, draft: LibraryDraft.ID)
  /// A local change was not applied and is kept as this draft. The displayed state is the server's, or the draft's if
  /// the meme was never created.
  case draft(LibraryDraft.ID)
}
