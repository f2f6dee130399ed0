import HTTP
import Memes

extension WritableFormats {
  /// Those that an answer may be, so far as it matters to a client: those that are not common count only where it names one,
  /// and are not even tried before.
  ///
  /// - Parameters:
  ///   - format: the kind that the client asks for, as it was sent. What nobody knows is asked for too: the refusal
  ///     lists what there is.
  ///   - accept: what it would take; `nil` where that does not matter.
  func available(
    naming format: String?, or accept: Accept?
  ) async throws(MemeError) -> [OutputFormat] {
    if let format, !common.contains(where: { $0.rawValue == format }) { return try await all() }
    guard let accept else { return common }
    let others = OutputFormat.allCases.filter { !common.contains($0) }
    return others.contains { accept.names($0.mediaType) } ? try await all() : common
  }
}

extension OutputFormat {
  var mediaType: String { PictureFormat(self).mediaType }
}
