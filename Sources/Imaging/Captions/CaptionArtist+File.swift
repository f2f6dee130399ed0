package import Bytes
import CPangoCairo

extension CaptionArtist {
  /// Whether ``file(of:)`` returns the face's file. Does not read the whole font.
  package func hasFile(_ face: CaptionFace) -> Bool {
    face.withSharedFont(in: context) { _ in true } ?? false
  }

  /// Returns the OpenType file of the face with this id.
  ///
  /// Returns `nil` if no face has this id, if the font's license restricts its use, or if the font is not the
  /// first in its file.
  package func file(of id: String) -> Bytes? {
    guard let face = faces.first(where: { $0.id == id }) else { return nil }
    return face.withSharedFont(in: context) { font in
      let blob = hb_face_reference_blob(font)
      defer { hb_blob_destroy(blob) }
      var count: UInt32 = 0
      let start = hb_blob_get_data(blob, &count)
      return Bytes(copying: UnsafeRawBufferPointer(start: start, count: Int(count)))
    }
  }
}

extension CaptionFace {
  /// Calls `body` with the installed font if clients may download its file.
  fileprivate func withSharedFont<Result>(
    in context: OpaquePointer, _ body: (OpaquePointer) -> Result
  ) -> Result? {
    let loaded = description.withPango(pixels: 100) { pango_context_load_font(context, $0) }
    guard let loaded else { return nil }
    defer { g_object_unref(loaded) }
    guard let font = hb_font_get_face(pango_font_get_hb_font(loaded)),
      // A browser cannot select a later font of a font collection.
      hb_face_get_index(font) == 0, Self.allowsEmbedding(font)
    else { return nil }
    return body(font)
  }

  /// Whether OpenType's `fsType` is 0, "installable embedding". Any other value, such as Impact's, licenses
  /// only the font's buyer.
  private static func allowsEmbedding(_ font: OpaquePointer) -> Bool {
    // The fifth field of the table "OS/2", a big-endian 16-bit number.
    let table = hb_face_reference_table(font, 0x4F53_2F32)
    defer { hb_blob_destroy(table) }
    var count: UInt32 = 0
    let start = hb_blob_get_data(table, &count)
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
    guard bytes.count >= 10 else { return false }
    return bytes[8] == 0 && bytes[9] == 0
  }
}
