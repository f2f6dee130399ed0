import HTTP
import Memes

extension Accept {
  /// Whether the client would rather have the picture than its JSON.
  ///
  /// - Parameter draft: is told where only one kind of picture is acceptable.
  /// - Throws: 406 where neither is acceptable.
  func prefersPicture(of draft: inout MemeDraft) throws(Problem) -> Bool {
    let json = quality(of: "application/json")
    guard json < pictureQuality(draft.format) else {
      guard json > 0 else { throw Problem(.notAcceptable) }
      return false
    }
    try requirePicture(of: &draft)
    return true
  }

  /// Settles which kind of picture is drawn.
  ///
  /// - Parameter draft: is told where only one kind of picture is acceptable.
  /// - Throws: 406 where none is.
  func requirePicture(of draft: inout MemeDraft) throws(Problem) {
    guard pictureQuality(draft.format) > 0 else { throw Problem(.notAcceptable) }
    let acceptable = OutputFormat.allCases.filter { quality(of: "image/\($0.rawValue)") > 0 }
    if acceptable.count == 1 { draft.acceptableFormat = acceptable.first }
  }

  private func pictureQuality(_ format: OutputFormat?) -> Double {
    let formats = format.map { [$0] } ?? OutputFormat.allCases
    return formats.map { quality(of: "image/\($0.rawValue)") }.max() ?? 0
  }
}
