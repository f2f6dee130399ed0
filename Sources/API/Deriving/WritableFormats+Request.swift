import HTTP
import Memes

extension WritableFormats {
  /// The formats that a response may have, as far as they matter to the client. Formats that are not common are tested
  /// and included only if the client names one of them.
  ///
  /// - Parameters:
  ///   - format: the requested format as sent. An unknown name also returns all formats, so that the
  ///     error can list them.
  ///   - accept: the formats that the client accepts; `nil` if they do not matter.
  func available(
    naming format: String?, or accept: Accept?
  ) async throws -> [OutputFormat] {
    if let format, !common.contains(where: { $0.rawValue == format }) { return try await all() }
    guard let accept else { return common }
    let others = OutputFormat.allCases.filter { !common.contains($0) }
    return others.contains { accept.names($0.mediaType) } ? try await all() : common
  }
}

extension OutputFormat {
  var mediaType: String { PictureFormat(self).mediaType }
}
