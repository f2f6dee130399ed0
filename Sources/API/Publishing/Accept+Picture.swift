import HTTP
import Memes

extension Accept {
  /// Whether the client would rather have the picture than its JSON.
  ///
  /// - Parameter format: what the client asked for; set where only one kind of picture is acceptable.
  /// - Throws: 406 where neither is acceptable.
  func prefersPicture(of format: inout OutputFormat?) throws(Problem) -> Bool {
    let json = quality(of: "application/json")
    guard json < pictureQuality(format) else {
      guard json > 0 else { throw Problem(.notAcceptable) }
      return false
    }
    try requirePicture(of: &format)
    return true
  }

  /// Settles which kind of picture is drawn.
  ///
  /// - Parameter format: what the client asked for; set where only one kind of picture is acceptable.
  /// - Throws: 406 where none is.
  func requirePicture(of format: inout OutputFormat?) throws(Problem) {
    guard pictureQuality(format) > 0 else { throw Problem(.notAcceptable) }
    let acceptable = OutputFormat.allCases.filter { quality(of: "image/\($0.rawValue)") > 0 }
    if format == nil, acceptable.count == 1 { format = acceptable.first }
  }

  private func pictureQuality(_ format: OutputFormat?) -> Double {
    let formats = format.map { [$0] } ?? OutputFormat.allCases
    return formats.map { quality(of: "image/\($0.rawValue)") }.max() ?? 0
  }
}
