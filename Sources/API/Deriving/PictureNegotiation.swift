import HTTP
import Memes

/// Which kind of file a client gets of a picture where it asks for none: proactive negotiation (RFC 9110 §12.1).
///
/// It gets what is stored, unless it names another kind and likes that as much or more. `*/*` and `image/*` name none:
/// programs send them that then cannot read AVIF.
struct PictureNegotiation {
  let accept: Accept
  /// Those that this machine can write.
  let formats: [OutputFormat]

  /// What a picture becomes, by what it is; nothing for those that stay what they are.
  var choices: [PictureFormat: OutputFormat] {
    var choices: [PictureFormat: OutputFormat] = [:]
    for stored in PictureFormat.allCases {
      let best = candidates(for: stored).max { quality(of: $0) < quality(of: $1) }
      if let best, PictureFormat(best) != stored { choices[stored] = best }
    }
    return choices
  }

  /// The first of those that are liked equally is chosen: the smallest.
  private func candidates(for stored: PictureFormat) -> [OutputFormat] {
    let order: [OutputFormat] =
      switch stored {
      case .jpeg: [.avif, .webp, .jpeg]
      case .png: [.avif, .webp, .png]
      // It may move, which AVIF does not here.
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
