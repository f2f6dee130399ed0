extension MemeMeClient {
  /// The largest picture that is read into memory.
  private static let largestPictureBytes = 256 << 20

  /// Which small picture is meant.
  public enum ThumbnailSize: String, Sendable {
    case table
    case grid
  }

  /// The meme's picture.
  ///
  /// - Parameters:
  ///   - version: the meme's; `gone` where it was edited since. For `nil`, as it is now.
  ///   - width: a smaller width in pixels, 16 to 16384.
  ///   - format: another kind of file.
  public func image(
    _ id: Meme.ID, version: Int? = nil, width: Int? = nil, format: PictureFormat? = nil
  ) async throws -> PictureFile {
    var call = Call(.getMemeImage, "\(id)")
    call.query = [
      "v": version.map(String.init), "width": width.map(String.init), "format": format?.rawValue,
    ]
    return try await picture(call)
  }

  /// A small picture of the meme.
  ///
  /// - Parameter version: the meme's; `gone` where it was edited since. For `nil`, as it is now.
  public func thumbnail(
    _ id: Meme.ID, _ size: ThumbnailSize = .grid, version: Int? = nil
  ) async throws -> PictureFile {
    var call = Call(.getMemeThumbnail, "\(id)")
    call.query = ["view": size.rawValue, "v": version.map(String.init)]
    return try await picture(call)
  }

  /// The picture as it was uploaded; for its owner, the holder of its `deleteToken`, and admins.
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
