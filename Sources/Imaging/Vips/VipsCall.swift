import Bytes
// Both C modules include GLib, and Swift attributes GLib's types to this one.
import CPangoCairo
import CVips

/// One libvips operation: created by name, configured with arguments, run once.
///
/// Arguments are GObject properties, so no variadic C function is needed. If the operation lacks an argument, or a
/// value is out of range, GLib prints a warning and the operation runs without the argument. Tests cover each argument.
struct VipsCall: ~Copyable {
  private let name: String
  private let operation: UnsafeMutablePointer<VipsOperation>

  init(_ name: String) throws(ImagingError) {
    try Vips.start()
    guard let operation = vips_operation_new(name) else {
      throw .library(operation: name, message: Vips.takeErrorText())
    }
    (self.name, self.operation) = (name, operation)
  }

  deinit {
    vips_object_unref_outputs(vipsObject)
    g_object_unref(operation)
  }

  private var vipsObject: UnsafeMutablePointer<VipsObject> {
    UnsafeMutableRawPointer(operation).assumingMemoryBound(to: VipsObject.self)
  }

  private var object: UnsafeMutablePointer<GObject> {
    UnsafeMutableRawPointer(operation).assumingMemoryBound(to: GObject.self)
  }

  /// Also sets Boolean and enumeration properties: GLib converts an integer to either.
  borrowing func set(_ property: String, _ number: Int) {
    setValue(property, of: mememe_type_int) { g_value_set_int($0, Int32(clamping: number)) }
  }

  borrowing func set(_ property: String, _ number: Double) {
    setValue(property, of: mememe_type_double) { g_value_set_double($0, number) }
  }

  borrowing func set(_ property: String, _ text: String) {
    setValue(property, of: mememe_type_string) { g_value_set_string($0, text) }
  }

  borrowing func set(_ property: String, _ image: borrowing VipsHandle) {
    let pointer = image.pointer
    setValue(property, of: vips_image_get_type()) { g_value_set_object($0, pointer) }
  }

  /// The memory must outlive every image that this call returns.
  borrowing func set(_ property: String, _ memory: UnsafeRawBufferPointer) {
    guard let blob = vips_blob_new(nil, memory.baseAddress, memory.count) else { return }
    setValue(property, of: vips_blob_get_type()) { g_value_set_boxed($0, blob) }
    vips_area_unref(&blob.pointee.area)
  }

  /// Runs the operation and returns the image in its result `out`.
  ///
  /// - Throws: also if the image has no pixels, because libvips terminates the process when such an image is read.
  consuming func image() throws(ImagingError) -> VipsHandle {
    try run()
    var value = GValue()
    g_value_init(&value, vips_image_get_type())
    defer { g_value_unset(&value) }
    g_object_get_property(object, "out", &value)
    guard let image = g_value_dup_object(&value) else { throw failure() }
    let handle = VipsHandle(owning: image.assumingMemoryBound(to: VipsImage.self))
    guard handle.width >= 1, handle.height >= 1 else {
      throw .library(operation: name, message: "image has no pixels")
    }
    return handle
  }

  /// Runs an operation that needs only an image.
  consuming func image(from input: borrowing VipsHandle) throws(ImagingError) -> VipsHandle {
    set("in", input)
    return try image()
  }

  /// Runs the operation and returns the file in its result `buffer`.
  ///
  /// - Returns: the memory that libvips wrote, not a copy.
  consuming func bytes() throws(ImagingError) -> Bytes {
    try run()
    var value = GValue()
    g_value_init(&value, vips_blob_get_type())
    defer { g_value_unset(&value) }
    g_object_get_property(object, "buffer", &value)
    guard let boxed = g_value_dup_boxed(&value) else { throw failure() }
    // libvips locks the blob's reference count. The closure below releases this reference exactly once, on any thread.
    nonisolated(unsafe) let area = boxed.assumingMemoryBound(to: VipsArea.self)
    var count = 0
    let start = vips_blob_get(boxed.assumingMemoryBound(to: VipsBlob.self), &count)
    return Bytes(adopting: UnsafeRawBufferPointer(start: start, count: count)) {
      vips_area_unref(area)
    }
  }

  private borrowing func run() throws(ImagingError) {
    // Bypass the operation cache, which would return another operation instead of this one.
    guard vips_object_build(vipsObject) == 0 else { throw failure() }
  }

  private borrowing func failure() -> ImagingError {
    .library(operation: name, message: Vips.takeErrorText())
  }

  private borrowing func setValue(
    _ property: String, of type: GType, _ assign: (UnsafeMutablePointer<GValue>) -> Void
  ) {
    var value = GValue()
    g_value_init(&value, type)
    assign(&value)
    g_object_set_property(object, property, &value)
    g_value_unset(&value)
  }
}
