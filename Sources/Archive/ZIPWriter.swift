package import Bytes
import Foundation

/// Writes a ZIP archive (PKWARE APPNOTE 6.3) into a spool, a file at a time.
///
/// The files are kept as they are: pictures are compressed already. Beside a file's content the memory has about 150 bytes for
/// each. Used by one task at a time.
package final class ZIPWriter {
  private let spool: Spool
  /// Where in its file the archive begins.
  private let start: UInt64
  private let date: ZIPDate
  private var directory = ByteWriter(capacity: 4096)
  private var count: UInt64 = 0

  /// - Parameters:
  ///   - spool: is empty.
  ///   - start: how many bytes stand before the archive in the file that it is part of.
  ///   - seconds: since 1970, what all files are dated by.
  package init(into spool: Spool, at start: UInt64 = 0, date seconds: Int64) {
    (self.spool, self.start, date) = (spool, start, ZIPDate(secondsSince1970: seconds))
  }

  /// Adds a file. After a failure the archive is of no use.
  ///
  /// - Parameters:
  ///   - name: with slashes between folders, at most 65 535 bytes.
  ///   - content: less than 4 GiB.
  /// - Throws: `ENAMETOOLONG` or `EFBIG` where it is more.
  package func add(_ name: String, _ content: Bytes) throws(Spool.Failure) {
    guard let nameLength = UInt16(exactly: name.utf8.count) else {
      throw .io(errno: ENAMETOOLONG)
    }
    guard let size = UInt32(exactly: content.count), size != .max else { throw .io(errno: EFBIG) }
    let entry = ZIPEntry(
      name: name, nameLength: nameLength, date: date,
      checksum: content.withUnsafeBytes { CRC32.checksum(of: $0) }, size: size, offset: position)
    var header = ByteWriter()
    entry.writeHeader(to: &header)
    try append(header.finish())
    try append(content)
    entry.writeDirectory(to: &directory)
    count += 1
  }

  /// The whole archive. Call it last.
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
    try bytes.withUnsafeBytes { piece throws(Spool.Failure) in try spool.append(piece) }
  }
}
