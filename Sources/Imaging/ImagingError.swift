/// Why a picture could not be read, drawn on, or written.
package enum ImagingError: Error {
  /// The bytes are not a picture of a kind that is read.
  case unsupported
  /// The picture is truncated, or damaged so that it cannot be decoded. What the library said is for the log only.
  case broken(String)
  /// The picture has more pixels (width × height × frames), or longer edges, than allowed.
  case tooLarge
  /// The picture moves on for longer than allowed.
  case tooManyFrames
  /// There is no memory for it now: what for, for the log only.
  case outOfMemory(String)
  /// A library failed where the picture is not to blame: an operation, and what was said, for the log only.
  case library(operation: String, message: String)

  /// The failure of a library that only read a file: the file is to blame, unless the library says that it is not.
  init(reading message: String) {
    // libvips, libjpeg and libpng have no other way to tell.
    self = message.lowercased().contains("memory") ? .outOfMemory(message) : .broken(message)
  }
}
