/// The reason why a library operation failed. Server and network failures are reported as ``MemeMeError``.
public enum LibraryError: Error, Sendable, Hashable {
  /// Another process, or another library in this process, has the folder open. The process ID is `nil` if unknown.
  case inUse(processID: Int32?)
  /// The folder or its database cannot be used. The associated value is the reason. Nothing was changed.
  case unusable(String)
  /// The disk is full. The change was not made.
  case diskFull
  /// The disk or the database failed. The associated value is the reason. The change was not made.
  case storage(String)
  /// The library does not contain the meme, or the meme is deleted.
  case noSuchMeme
  /// The library does not contain the draft.
  case noSuchDraft
  /// The meme of the draft no longer exists, and the draft has no picture to create another one from.
  case nothingToApplyTo
  /// The edit replaces the picture. A library can only change text and style.
  case pictureStays
  /// The draft keeps pictures in boxes, and the boxes were changed elsewhere so that it is unclear which ones.
  case picturesChanged
  /// The signed-in user does not own the library.
  case otherPerson(owner: String, signedIn: String)
  /// The session has ended, or there was none. The user must sign in. No data is lost.
  case signInNeeded
}

extension LibraryError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .inUse(let processID?): "another process (\(processID)) is using this library"
    case .inUse(nil): "another process is using this library"
    case .unusable(let reason): "cannot use the library: \(reason)"
    case .diskFull: "the disk is full"
    case .storage(let reason): "the library's disk or database failed: \(reason)"
    case .noSuchMeme: "no such meme in this library"
    case .noSuchDraft: "no such draft"
    case .nothingToApplyTo: "the meme of this draft was deleted"
    case .pictureStays: "an edit cannot change the picture"
    case .picturesChanged: "the pictures in the boxes of this draft's meme were changed elsewhere"
    case .otherPerson(let owner, let signedIn):
      "this library belongs to \(owner), but \(signedIn) is signed in"
    case .signInNeeded: "sign-in required"
    }
  }
}
