package import Bytes
import CPangoCairo

extension CaptionArtist {
  /// Whether ``file(of:)`` has something; only the font's head is read.
  package func hasFile(_ face: CaptionFace) -> Bool {
    face.withSharedFont(in: context) { _ in true } ?? false
  }

  /// The OpenType file of a face; `nil` where there is no face of this id, where the font's makers do not let everybody have
  /// it, and where it stands in a file with others.
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
  /// Calls `body` with the installed font, where its file may be handed on as it is.
  fileprivate func withSharedFont<Result>(
    in context: OpaquePointer, _ body: (OpaquePointer) -> Result
  ) -> Result? {
    let loaded = description.withPango(pixels: 100) { pango_context_load_font(context, $0) }
    guard let loaded else { return nil }
    defer { g_object_unref(loaded) }
    guard let font = hb_font_get_face(pango_font_get_hb_font(loaded)),
      // Of several in one file a browser could not tell which is meant.
      hb_face_get_index(font) == 0, Self.isForEverybody(font)
    else { return nil }
    return body(font)
  }

  /// OpenType's `fsType`: 0 is "installable embedding". Anything else, Impact's among them, is a licence of whoever bought it.
  private static func isForEverybody(_ font: OpaquePointer) -> Bool {
    // "OS/2", whose fifth field it is, a big-endian number of 16 bits.
    let table = hb_face_reference_table(font, 0x4F53_2F32)
    defer { hb_blob_destroy(table) }
    var count: UInt32 = 0
    let start = hb_blob_get_data(table, &count)
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
    guard bytes.count >= 10 else { return false }
    return bytes[8] == 0 && bytes[9] == 0
  }
}
