import Bytes
import HTTP
import Memes

extension WritableFormats {
  /// Those that an answer may be, so far as it matters to a client: those that are not common count only where it names one,
  /// and are not even tried before.
  ///
  /// - Parameters:
  ///   - format: the kind that the client asks for, as it was sent. What nobody knows is asked for too: the refusal
  ///     lists what there is.
  ///   - accept: what it would take.
  func available(
    naming format: String?, or accept: Accept
  ) async throws(MemeError) -> [OutputFormat] {
    let isCommon = format.map { format in common.contains { $0.rawValue == format } } ?? true
    let others = OutputFormat.allCases.filter { !common.contains($0) }
    guard !isCommon || others.contains(where: { accept.names($0.mediaType) }) else { return common }
    return try await all()
  }
}

extension OutputFormat {
  var mediaType: String { PictureFormat(self).mediaType }
}

extension RequestBody {
  /// A form's text as it was sent, before anything is said about it.
  func text(of name: String) -> String? {
    guard case .form(let form) = self else { return nil }
    for part in form.parts where part.name == name {
      if case .bytes(let bytes) = part.content { return bytes.utf8Text }
    }
    return nil
  }
}
