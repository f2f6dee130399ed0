/// The reason why a picture cannot be read, drawn on or written.
package enum ImagingError: Error {
  /// The file is not a picture of an accepted kind.
  case unsupported
  /// The picture is truncated, or too damaged to be decoded. The library's message is for the log only.
  case broken(String)
  /// The picture has more pixels (width × height × frames) or longer edges than allowed.
  case tooLarge
  /// The animation has more frames than allowed.
  case tooManyFrames
  /// There is not enough memory for the picture at the moment. The description is for the log only.
  case outOfMemory(String)
  /// A library failed for a reason other than the picture. The operation and the message are for the log only.
  case library(operation: String, message: String)

  /// Creates an error from a library's message about reading a file. The file is at fault unless
  /// the message mentions memory.
  init(reading message: String) {
    // libvips, libjpeg and libpng report a lack of memory only in the message.
    self = message.lowercased().contains("memory") ? .outOfMemory(message) : .broken(message)
  }
}
