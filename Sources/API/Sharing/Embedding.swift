import HTTP
import Memes

/// A meme as an oEmbed photo (oEmbed 1.0 §2.3.4.1), no larger than whoever embeds it has room for.
struct Embedding {
  /// Whoever embeds may keep the answer for so long; a deleted meme's picture is gone by then anyway.
  private static let cacheSeconds = 3600

  let meme: Meme
  let address: PublicAddress
  /// In pixels; `nil` where there is room for any.
  let maxWidth: Int?
  let maxHeight: Int?

  func write(to json: inout JSONWriter) {
    let role = picture
    let size = meme.facts(of: role).size
    json.object { json in
      json.member("type", "photo")
      json.member("version", "1.0")
      json.member("title", meme.title)
      json.member("url", address.picture(role, of: meme))
      json.member("width", size.width)
      json.member("height", size.height)
      json.member("provider_name", "MemeMe")
      json.member("provider_url", address.root)
      json.member("cache_age", Self.cacheSeconds)
      if fits(meme.gridThumbnail.size) {
        json.member("thumbnail_url", address.picture(.gridThumbnail, of: meme))
        json.member("thumbnail_width", meme.gridThumbnail.size.width)
        json.member("thumbnail_height", meme.gridThumbnail.size.height)
      }
    }
  }

  /// The largest that there is room for; the smallest where there is room for none.
  private var picture: PictureRole {
    let roles: [PictureRole] = [.image, .gridThumbnail]
    return roles.first { fits(meme.facts(of: $0).size) } ?? .tableThumbnail
  }

  private func fits(_ size: PixelSize) -> Bool {
    size.width <= maxWidth ?? .max && size.height <= maxHeight ?? .max
  }
}
