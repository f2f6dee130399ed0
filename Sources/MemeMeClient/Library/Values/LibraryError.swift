/// Why a library did not do what it was asked for. What the server or the network said is a ``MemeMeError``.
public enum LibraryError: Error, Sendable, Hashable {
  /// Another process, or another library of this one, has the folder open: the process, where that is known.
  case inUse(processID: Int32?)
  /// The folder or the database in it cannot be used, for this reason. Nothing was changed.
  case unusable(String)
  /// The disk is full. What was to be changed is as it was.
  case diskFull
  /// The disk or the database failed, for this reason. What was to be changed is as it was.
  case storage(String)
  /// The library has no such meme, or it is deleted.
  case noSuchMeme
  /// The library has no such draft.
  case noSuchDraft
  /// The draft is of a meme that is not there any more, and has no picture to make another one from.
  case nothingToApplyTo
  /// An edit has another picture: a library changes words and looks alone.
  case pictureStays
  /// Somebody else is signed in than the person whose library this is: who has it, and who is signed in.
  case otherPerson(owner: String, signedIn: String)
  /// The session is over, or there was none: somebody has to sign in. Everything is kept.
  case signInNeeded
}

extension LibraryError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .inUse(let processID?): "another process (\(processID)) has this library open"
    case .inUse(nil): "another process has this library open"
    case .unusable(let reason): "the library cannot be used: \(reason)"
    case .diskFull: "the disk is full"
    case .storage(let reason): "the library's disk or database failed: \(reason)"
    case .noSuchMeme: "there is no such meme here"
    case .noSuchDraft: "there is no such draft"
    case .nothingToApplyTo: "the meme of this draft is deleted"
    case .pictureStays: "an edit cannot bring another picture here"
    case .otherPerson(let owner, let signedIn):
      "this is the library of \(owner), and \(signedIn) is signed in"
    case .signInNeeded: "somebody has to sign in"
    }
  }
}
