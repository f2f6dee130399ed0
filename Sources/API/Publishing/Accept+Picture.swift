import HTTP
import Memes

extension Accept {
  /// Whether the client prefers the picture over its JSON.
  ///
  /// - Parameters:
  ///   - draft: receives the formats that the client prefers.
  ///   - formats: the formats that this machine can write.
  /// - Throws: `notAcceptable` if the client accepts neither.
  func prefersPicture(
    of draft: inout MemeDraft, among formats: [OutputFormat]
  ) throws(Problem) -> Bool {
    guard try prefersPicture(pictureQuality(draft.format.map { [$0] } ?? formats)) else {
      return false
    }
    try requirePicture(of: &draft, among: formats)
    return true
  }

  /// Whether the client prefers a picture of this format over its JSON.
  ///
  /// - Throws: `notAcceptable` if the client accepts neither.
  func prefersPicture(as format: PictureFormat) throws(Problem) -> Bool {
    try prefersPicture(quality(of: format.mediaType))
  }

  private func prefersPicture(_ picture: Double) throws(Problem) -> Bool {
    let json = quality(of: "application/json")
    guard max(json, picture) > 0 else { throw Problem(.notAcceptable) }
    return json < picture
  }

  /// Restricts the draft to the acceptable formats with the highest quality.
  ///
  /// - Throws: `notAcceptable` if the client accepts none.
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
