/// How far a meme of a library has come.
public enum MemeState: Sendable, Hashable {
  /// The server has it as it is shown.
  case sent
  /// It, or what was changed of it, waits to be sent.
  case waiting
  /// It is being sent: how much is, from 0 to 1.
  case sending(Double)
  /// The server refused it, or what was changed of it. It is kept as this draft.
  case failed(LibraryDraft.Refusal, draft: LibraryDraft.ID)
  /// It is shown as the server has it; what was changed of it here lost, and is kept as this draft. What was never made is
  /// shown as the draft has it.
  case draft(LibraryDraft.ID)
}
