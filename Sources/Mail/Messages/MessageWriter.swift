import Bytes
import Foundation
import Memes

/// Writes a message in ASCII, with lines that end in CR LF.
struct MessageWriter: ~Copyable {
  private var bytes = ByteWriter(capacity: 4096)
  /// Must not occur in a part. A boundary that begins with `=_` cannot: in quoted-printable other characters
  /// follow an equals sign, and in base64 it occurs only at the end (RFC 2045 §6.7). In unencoded text, an
  /// author would have to guess the boundary.
  private let boundary: String

  init(boundary: String) { self.boundary = boundary }

  /// Returns the message. Call it last.
  consuming func finish() -> Bytes { bytes.finish() }

  /// - Parameter value: ASCII text, folded if it is long.
  mutating func field(_ name: StaticString, _ value: String) { line("\(name): \(value)") }

  /// Writes the content type and the body.
  mutating func write(_ mail: Mail) {
    guard !mail.attachments.isEmpty else { return write(text: mail.text) }
    field("Content-Type", "multipart/mixed;\r\n boundary=\"\(boundary)\"")
    line("")
    line("--\(boundary)")
    write(text: mail.text)
    for attachment in mail.attachments {
      line("--\(boundary)")
      write(attachment)
    }
    line("--\(boundary)--")
  }

  private mutating func write(text: String) {
    field("Content-Type", "text/plain; charset=utf-8")
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Keep links intact for readers of the raw file. Lines have at most 998 characters (RFC 5322 §2.1.1).
    if lines.allSatisfy({ $0.count <= 998 && $0.allSatisfy { (0x20...0x7E).contains($0) } }) {
      field("Content-Transfer-Encoding", "7bit")
      line("")
      line(text.replacing("\n", with: "\r\n"))
    } else {
      field("Content-Transfer-Encoding", "quoted-printable")
      line("")
      line(QuotedPrintable.text(text))
    }
  }

  private mutating func write(_ attachment: MailAttachment) {
    let picture = attachment.picture
    field("Content-Type", picture.facts.format.mediaType)
    field("Content-Transfer-Encoding", "base64")
    field("Content-Disposition", "attachment" + FileNameParameter.text(attachment.name))
    line("")
    let data = picture.bytes.withUnsafeBytes { bytes in
      Data(bytes).base64EncodedData(options: [
        .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
      ])
    }
    data.withUnsafeBytes { bytes.append($0) }
    line("")
  }

  private mutating func line(_ text: String) {
    bytes.append(text)
    bytes.append("\r\n")
  }
}
