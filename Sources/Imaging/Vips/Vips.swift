import CHelpers
import CVips

/// The libvips library: starts it once, and cleans up after threads that used it.
package enum Vips {
  /// The loaders that may read untrusted bytes. All others are blocked.
  private static let loaders = [
    "VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadNsgif", "VipsForeignLoadWebp",
  ]

  private static let started: Result<Void, ImagingError> = {
    guard vips_init("mememe") == 0 else {
      return .failure(.library(operation: "vips_init", message: takeErrorText()))
    }
    loadHEIF()
    // Warnings about untrusted files must not fill the log.
    g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING, { _, _, _, _ in }, nil)
    vips_operation_block_set("VipsForeignLoad", 1)
    for loader in loaders { vips_operation_block_set(loader, 0) }
    streamWebP()
    // Each render has a thread of its own, and no two uploads are the same picture.
    vips_concurrency_set(1)
    vips_cache_set_max(0)
    return .success(())
  }()

  /// Loads the module for AVIF and HEIC. Drawing processes start without libvips' modules. The others read formats
  /// that are not accepted, and load ImageMagick, Poppler and OpenSlide.
  private static func loadHEIF() {
    guard vips_type_find("VipsOperation", PictureKind.avif.loader) == 0 else { return }
    guard let file = mememe_library_file("vips_init"), let folder = g_path_get_dirname(file) else {
      return
    }
    defer { g_free(folder) }
    let version = "\(vips_version(0)).\(vips_version(1))"
    // Without it, these formats are missing, as on a machine without libheif.
    _ = g_module_open(
      "\(String(cString: folder))/vips-modules-\(version)/vips-heif.so", GModuleFlags(rawValue: 0))
  }

  /// Marks the WebP loader as sequential: it delivers row after row, but does not declare it. Otherwise libvips
  /// would wait for the whole picture or all frames. Above 100 MB it would write them to a file, which a
  /// confined process cannot do.
  private static func streamWebP() {
    let type = vips_type_find("VipsOperation", PictureKind.webp.loader)
    guard type != 0, let loader = g_type_class_ref(type) else { return }
    loader.assumingMemoryBound(to: VipsForeignLoadClass.self).pointee.get_flags = { _ in
      VIPS_FOREIGN_SEQUENTIAL
    }
  }

  /// Starts libvips with four loaders, no operation cache and one thread per pipeline.
  ///
  /// Any thread may call this any number of times. Everything in this module calls it first.
  package static func start() throws(ImagingError) { try started.get() }

  /// Lets libvips read kinds of file that it blocks by default.
  package static func allow(_ kinds: Set<PictureKind>) throws(ImagingError) {
    try start()
    if !kinds.isDisjoint(with: [.avif, .heic]) {
      vips_operation_block_set("VipsForeignLoadHeif", 0)
    }
  }

  /// Whether libvips has a loader and a working decoder for a kind, tested with a small picture. Call ``allow(_:)``
  /// for the kind first.
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

  /// The version of the loaded libvips, such as `8.14.1`.
  package static var version: String { String(cString: vips_version_string()) }

  /// Frees the data that libvips keeps for the calling thread. A thread that used libvips must call this last.
  package static func endThread() {
    // If libvips did not start, it keeps no data for the thread.
    if case .success = started { vips_thread_shutdown() }
  }

  /// Discards the error messages of earlier jobs. Jobs that succeed may leave some, for example about a color profile
  /// that is ignored. Call this at the start of each job.
  package static func clearErrors() {
    // If libvips did not start, its lock does not exist.
    if case .success = started { vips_error_clear() }
  }

  /// Returns and clears the error messages of libvips.
  ///
  /// The whole process shares one error buffer. A drawing process has one job at a time; if several threads draw, the
  /// text may belong to another thread's failure. Use it only for the log, and for ``ImagingError/init(reading:)``.
  static func takeErrorText() -> String {
    guard let text = vips_error_buffer_copy() else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }
}
