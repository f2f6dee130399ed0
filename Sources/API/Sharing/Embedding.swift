import HTTP
import Memes

/// A meme as an oEmbed photo (oEmbed 1.0 §2.3.4.1), no larger than the consumer allows.
struct Embedding {
  /// How long consumers may cache the response. Within that time, shared caches also drop the picture
  /// of a deleted meme.
  private static let cacheSeconds = 3600

  let meme: Meme
  let address: PublicAddress
  /// In pixels; `nil` if there is no maximum.
  let maxWidth: Int?
  let maxHeight: Int?

  private struct Photo {
    let url: String
    let size: PixelSize
  }

  func write(to json: inout JSONWriter) {
    let (photo, thumbnail) = (self.photo, thumbnails.first(where: fits))
    json.object { json in
      json.member("type", "photo")
      json.member("version", "1.0")
      json.member("title", meme.title)
      json.member("url", photo.url)
      json.member("width", photo.size.width)
      json.member("height", photo.size.height)
      json.member("provider_name", "MemeMe")
      json.member("provider_url", address.root)
      json.member("cache_age", Self.cacheSeconds)
      if let thumbnail {
        json.member("thumbnail_url", thumbnail.url)
        json.member("thumbnail_width", thumbnail.size.width)
        json.member("thumbnail_height", thumbnail.size.height)
      }
    }
  }

  /// The best picture that fits, or the smallest one if none fits.
  private var photo: Photo {
    let image = stored(.image)
    if fits(image) { return image }
    let others = [narrowed].compactMap(\.self) + thumbnails
    return others.first(where: fits)
      ?? others.reduce(image) { $1.size.pixels < $0.size.pixels ? $1 : $0 }
  }

  private var thumbnails: [Photo] { [stored(.gridThumbnail), stored(.tableThumbnail)] }

  /// The image scaled down to fit; `nil` if it cannot be smaller. The server renders it when a client requests it.
  private var narrowed: Photo? {
    let size = meme.image.size
    // At most the height of the image, so the product cannot overflow.
    let height = min(maxHeight ?? .max, size.height)
    let width = PictureWidth(
      fitting: min(maxWidth ?? .max, height * size.width / size.height))
    let wish = RenditionRequest(width: width, format: nil)
    guard let derivation = wish.derivation(of: meme.image) else { return nil }
    return Photo(
      url: "\(address.picture(.image, of: meme))&width=\(width.pixels)", size: derivation.size)
  }

  private func stored(_ role: PictureRole) -> Photo {
    Photo(url: address.picture(role, of: meme), size: meme.facts(of: role).size)
  }

  private func fits(_ photo: Photo) -> Bool {
    photo.size.width <= maxWidth ?? .max && photo.size.height <= maxHeight ?? .max
  }
}

extension PixelSize {
  fileprivate var pixels: Int { width * height }
}
