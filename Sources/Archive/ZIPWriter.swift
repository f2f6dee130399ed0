package import Bytes
import CZlib
import Foundation

/// Writes a ZIP archive (PKWARE APPNOTE 6.3) into a spool, one file at a time.
///
/// Files are stored without compression, because pictures are already compressed. Apart from the content of the current
/// file, the writer holds about 150 bytes per file in memory. Use it in one task at a time.
package final class ZIPWriter {
  private let spool: Spool
  /// The offset of the archive in its file.
  private let start: UInt64
  private let date: ZIPDate
  private var directory = ByteWriter(capacity: 4096)
  private var count: UInt64 = 0

  /// - Parameters:
  ///   - spool: must be empty.
  ///   - start: the number of bytes before the archive in the file that contains it.
  ///   - seconds: the timestamp of all files, in seconds since 1970.
  package init(into spool: Spool, at start: UInt64 = 0, date seconds: Int64) {
    (self.spool, self.start, date) = (spool, start, ZIPDate(secondsSince1970: seconds))
  }

  /// Adds a file. If this throws, the archive is unusable.
  ///
  /// - Parameters:
  ///   - name: separates folders with slashes; at most 65,535 bytes.
  ///   - content: less than 4 GiB.
  /// - Throws: `ENAMETOOLONG` or `EFBIG` if a limit is exceeded.
  package func add(_ name: String, _ content: Bytes) throws(Spool.Failure) {
    guard let nameLength = UInt16(exactly: name.utf8.count) else {
      throw .io(errno: ENAMETOOLONG)
    }
    guard let size = UInt32(exactly: content.count), size != .max else { throw .io(errno: EFBIG) }
    let entry = ZIPEntry(
      name: name, nameLength: nameLength, date: date,
      checksum: content.withUnsafeBytes { checksum(of: $0) }, size: size, offset: position)
    var header = ByteWriter()
    entry.writeHeader(to: &header)
    try append(header.finish())
    try append(content)
    entry.writeDirectory(to: &directory)
    count += 1
  }

  /// Returns the whole archive. Call it last.
  package func finish() throws(Spool.Failure) -> Bytes {
    let offset = position
    let entries = exchange(&directory, with: ByteWriter()).finish()
    try append(entries)
    var end = ByteWriter()
    ZIPEnd(count: count, offset: offset, size: UInt64(entries.count)).write(to: &end)
    try append(end.finish())
    return try spool.finish()
  }

  private var position: UInt64 { start + UInt64(spool.count) }

  private func append(_ bytes: Bytes) throws(Spool.Failure) {
    try spool.append(bytes)
  }
}

/// The CRC-32 of ZIP and gzip (RFC 1952 §8).
private func checksum(of memory: UnsafeRawBufferPointer) -> UInt32 {
  // zlib returns 32 bits in a C `unsigned long`.
  UInt32(
    truncatingIfNeeded: crc32_z(
      0, memory.assumingMemoryBound(to: UInt8.self).baseAddress, memory.count))
}
