/// What ``Checking`` needs of something that decodes pictures.
package protocol PictureInspector: Sendable {
  /// Decodes all of the picture and holds it against its facts.
  ///
  /// - Returns: the first thing that is wrong; `nil` where the picture is what its facts say.
  /// - Throws: ``MemeError/overloaded``, ``MemeError/renderTimeout``, ``MemeError/rendering(_:)`` where it could not be tried.
  func flaw(of picture: PictureFile) async throws(MemeError) -> PictureFlaw?
}

/// How a picture differs from what is known of it.
package enum PictureFlaw: Sendable, Equatable {
  /// What kind it really is; `nil` where it is none that is read.
  case format(PictureFormat?)
  /// How large it really is.
  case size(PixelSize)
  /// It cannot be decoded; what the library said.
  case undecodable(String)
}
