import HTTP
import Memes

/// Chooses the format of a picture if the client requests none: proactive negotiation (RFC 9110 §12.1).
///
/// The client gets the stored format, unless its `Accept` names another one with an equal or higher quality. `*/*` and
/// `image/*` name no format: programs that cannot read AVIF also send them.
struct PictureNegotiation {
  let accept: Accept
  /// The formats that this machine can write.
  let formats: [OutputFormat]

  /// The target format for each stored format. Formats that stay unchanged are missing.
  var choices: [PictureFormat: OutputFormat] {
    var choices: [PictureFormat: OutputFormat] = [:]
    for stored in PictureFormat.allCases {
      let best = candidates(for: stored).max { quality(of: $0) < quality(of: $1) }
      if let best, PictureFormat(best) != stored { choices[stored] = best }
    }
    return choices
  }

  /// Of several formats with equal quality, the first is chosen. It gives the smallest files.
  private func candidates(for stored: PictureFormat) -> [OutputFormat] {
    let order: [OutputFormat] =
      switch stored {
      case .jpeg: [.avif, .webp, .jpeg]
      case .png: [.avif, .webp, .png]
      // A GIF may be animated, and this server does not write animated AVIF.
      case .gif: [.webp, .gif]
      case .webp: [.webp]
      case .avif: [.avif, .webp]
      case .heic: []
      }
    return order.filter { format in
      PictureFormat(format) == stored
        || formats.contains(format) && accept.names(format.mediaType) && quality(of: format) > 0
    }
  }

  private func quality(of format: OutputFormat) -> Double { accept.quality(of: format.mediaType) }
}
