import HTTP
import Memes

extension WritableFormats {
  /// The formats that a response may have, as far as they matter to the client. Formats that are not common are tested
  /// and included only if the client names one of them.
  ///
  /// - Parameters:
  ///   - format: the requested format as sent; see ``available(naming:)``.
  ///   - accept: the formats that the client accepts; `nil` if they do not matter.
  func available(
    naming format: String?, or accept: Accept?
  ) async throws -> [OutputFormat] {
    let others = OutputFormat.allCases.filter { !common.contains($0) }
    if let accept, others.contains(where: { accept.names($0.mediaType) }) { return try await all() }
    return try await available(naming: format)
  }
}

extension OutputFormat {
  var mediaType: String { PictureFormat(self).mediaType }
}
