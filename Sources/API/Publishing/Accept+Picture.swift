import HTTP
import Memes

extension Accept {
  /// Whether the client would rather have the picture than its JSON.
  ///
  /// - Parameters:
  ///   - draft: is told which kinds of picture are wanted.
  ///   - formats: those that this machine can write.
  /// - Throws: 406 where neither is acceptable.
  func prefersPicture(
    of draft: inout MemeDraft, among formats: [OutputFormat]
  ) throws(Problem) -> Bool {
    guard try prefersPicture(pictureQuality(draft.format.map { [$0] } ?? formats)) else {
      return false
    }
    try requirePicture(of: &draft, among: formats)
    return true
  }

  /// Whether the client would rather have a picture of this kind than its JSON.
  ///
  /// - Throws: 406 where neither is acceptable.
  func prefersPicture(as format: PictureFormat) throws(Problem) -> Bool {
    try prefersPicture(quality(of: format.mediaType))
  }

  private func prefersPicture(_ picture: Double) throws(Problem) -> Bool {
    let json = quality(of: "application/json")
    guard max(json, picture) > 0 else { throw Problem(.notAcceptable) }
    return json < picture
  }

  /// Settles which kinds of picture may be drawn: of those that the client takes, those that it likes best.
  ///
  /// - Throws: 406 where none may.
  func requirePicture(
    of draft: inout MemeDraft, among formats: [OutputFormat]
  ) throws(Problem) {
    let candidates = draft.format.map { [$0] } ?? formats
    let best = pictureQuality(candidates)
    guard best > 0 else { throw Problem(.notAcceptable) }
    draft.acceptableFormats = candidates.filter { quality(of: $0) == best }
  }

  private func pictureQuality(_ formats: [OutputFormat]) -> Double {
    formats.map(quality(of:)).max() ?? 0
  }

  private func quality(of format: OutputFormat) -> Double {
    quality(of: format.mediaType)
  }
}
