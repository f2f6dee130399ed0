import Bytes
import Foundation
import Memes

extension Mail {
  /// A sample mail. Its default subject is not ASCII.
  static func sample(
    to: String = "somebody@example.org", subject: String = "Ein Mëme für dich 🎉",
    text: String = "Hallo!", files: [(name: String, bytes: [UInt8])] = [], name: Digest? = nil
  ) throws -> Mail {
    let digest = Digest(filledBy: { _ in })
    return Mail(
      to: try EmailAddress(to), subject: MailSubject(subject), text: text,
      attachments: files.map { file in
        let facts = PictureFacts(
          size: PixelSize(width: 1, height: 1), format: .jpeg, byteCount: file.bytes.count,
          digest: digest)
        return MailAttachment(PictureFile(facts: facts, bytes: Bytes(file.bytes)), name: file.name)
      }, name: name)
  }
}
