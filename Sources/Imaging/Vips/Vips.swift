import CVips

/// libvips as a whole: started once, and told of threads that end.
package enum Vips {
  /// What reads untrusted bytes; everything else that could is blocked.
  private static let loaders = [
    "VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadNsgif", "VipsForeignLoadWebp",
  ]

  private static let started: Result<Void, ImagingError> = {
    guard vips_init("mememe") == 0 else {
      return .failure(.library(operation: "vips_init", message: takeErrorText()))
    }
    // What libvips remarks on a stranger's file must not fill our log.
    g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING, { _, _, _, _ in }, nil)
    vips_operation_block_set("VipsForeignLoad", 1)
    for loader in loaders { vips_operation_block_set(loader, 0) }
    streamWebP()
    // Each render is on a thread of its own, and no two uploads are the same picture.
    vips_concurrency_set(1)
    vips_cache_set_max(0)
    return .success(())
  }()

  /// The loader of WebP gives row after row and does not say so. libvips would wait for all of the picture, or all frames, and
  /// above 100 MB write them to a file, which a confined process cannot.
  private static func streamWebP() {
    let type = vips_type_find("VipsOperation", PictureKind.webp.loader)
    guard type != 0, let loader = g_type_class_ref(type) else { return }
    loader.assumingMemoryBound(to: VipsForeignLoadClass.self).pointee.get_flags = { _ in
      VIPS_FOREIGN_SEQUENTIAL
    }
  }

  /// Starts libvips: four loaders, no operation cache, one thread for each pipeline.
  ///
  /// May be called any number of times, from any thread; everything in this module calls it first.
  package static func start() throws(ImagingError) { try started.get() }

  /// Lets libvips read kinds of file that it must not by default.
  package static func allow(_ kinds: Set<PictureKind>) throws(ImagingError) {
    try start()
    if !kinds.isDisjoint(with: [.avif, .heic]) {
      vips_operation_block_set("VipsForeignLoadHeif", 0)
    }
  }

  /// Whether there is a loader for a kind, and a decoder behind it, as far as a small picture tells. It has to be allowed.
  package static func reads(_ kind: PictureKind) -> Bool {
    do throws(ImagingError) {
      try start()
      guard vips_type_find("VipsOperation", kind.loader) != 0 else { return false }
      guard let sample = SamplePictures.picture(of: kind) else { return true }
      let header = try PictureHeader(of: sample, kinds: [kind], maximumPixels: 1 << 20)
      try PictureDecoder.decode(sample, header: header, maximumEdge: 16, into: PixelBuffer())
      return true
    } catch { return false }
  }

  /// The version of libvips that is loaded, such as `8.14.1`.
  package static var version: String { String(cString: vips_version_string()) }

  /// Frees what libvips keeps for the calling thread. The last thing that a thread does which used it.
  package static func endThread() {
    // A thread that ends before anything was drawn has nothing, and libvips may not be started.
    if case .success = started { vips_thread_shutdown() }
  }

  /// Takes what libvips has said since it was last asked.
  ///
  /// The buffer is one for the whole process, so the text may belong to another thread's failure: for the log only.
  static func takeErrorText() -> String {
    guard let text = vips_error_buffer_copy() else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }
}
