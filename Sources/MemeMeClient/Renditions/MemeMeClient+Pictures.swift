extension MemeMeClient {
  /// The maximum size of an image that is read into memory, in bytes.
  private static let largestPictureBytes = 256 << 20

  /// The size of a thumbnail.
  public enum ThumbnailSize: String, Sendable {
    case table
    case grid
  }

  /// Downloads the rendered image of a meme.
  ///
  /// - Parameters:
  ///   - version: The meme's version. The server reports `gone` if the meme has been edited since. `nil` selects the
  ///     current version.
  ///   - width: A smaller width in pixels, from 16 to 16384.
  ///   - format: Another file format.
  public func image(
    _ id: Meme.ID, version: Int? = nil, width: Int? = nil, format: PictureFormat? = nil
  ) async throws -> PictureFile {
    var call = Call(.getMemeImage, "\(id)")
    call.query = [
      "v": version.map(String.init), "width": width.map(String.init), "format": format?.rawValue,
    ]
    return try await picture(call)
  }

  /// Downloads a thumbnail of a meme.
  ///
  /// - Parameter version: The meme's version. The server reports `gone` if the meme has been edited since. `nil`
  ///   selects the current version.
  public func thumbnail(
    _ id: Meme.ID, _ size: ThumbnailSize = .grid, version: Int? = nil
  ) async throws -> PictureFile {
    var call = Call(.getMemeThumbnail, "\(id)")
    call.query = ["view": size.rawValue, "v": version.map(String.init)]
    return try await picture(call)
  }

  /// Downloads the picture as it was uploaded. For the meme's author, the holder of its `deleteToken`, and admins.
  public func original(_ id: Meme.ID) async throws -> PictureFile {
    try await picture(Call(.getMemeOriginal, "\(id)"))
  }

  func picture(_ call: Call) async throws -> PictureFile {
    var call = call
    call.accept = "image/*"
    let answer = try await answer(call, atMost: Self.largestPictureBytes)
    guard let mediaType = answer.head["Content-Type"], mediaType.hasPrefix("image/") else {
      throw answer.failure
    }
    return PictureFile(data: answer.body, mediaType: mediaType)
  }
}
