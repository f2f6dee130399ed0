import Bytes
import Memes
import Objects

/// Compares a picture with its row: its presence, length, digest, format and size.
struct PictureCheck: Sendable {
  /// `nil` to skip decoding.
  let inspection: PictureInspection?
  let digest: Digester

  struct Outcome: Sendable {
    /// The number of pictures that could be read, and their total size.
    var pictures = 0
    var bytes = 0
    var findings: [Finding] = []
  }

  /// Checks the pictures of a row one after the other: how one can be repaired may depend on the others.
  ///
  /// - Throws: `ObjectError` if the object store does not answer.
  func check(_ row: some ArchivedRow, in archive: MemeArchive) async throws -> Outcome {
    var outcome = Outcome()
    var found = row.findings
    for picture in row.pictures(in: archive) {
      guard let bytes = try await check(picture, &found) else { continue }
      outcome.pictures += 1
      outcome.bytes += bytes
    }
    outcome.findings = row.repairable(found)
    return outcome
  }

  /// - Returns: the number of bytes read; `nil` if there was nothing to read.
  private func check(_ archived: ArchivedPicture, _ found: inout [RowFinding]) async throws -> Int?
  {
    let picture: PictureFile
    do {
      guard let read = try archived.read() else { return nil }
      picture = read
    } catch let error as ObjectError {
      throw error
    } catch {
      let finding = Finding(.unreadableBlob, archived.place, error.reason)
      found.append(RowFinding(archived.file, finding))
      return nil
    }
    if let finding = await finding(in: picture, archived) {
      found.append(RowFinding(archived.file, finding))
    }
    return picture.bytes.count
  }

  /// Returns the first problem, because the others follow from it.
  private func finding(
    in picture: PictureFile, _ archived: ArchivedPicture
  ) async -> Finding? {
    let place = archived.place
    let facts = picture.facts
    guard picture.bytes.count == facts.byteCount else {
      return Finding(
        .wrongLength, place,
        "\(picture.bytes.count) bytes stored, \(facts.byteCount) expected")
    }
    guard digest(picture.bytes) == facts.digest else {
      return Finding(
        .wrongDigest, place, "SHA-256 mismatch")
    }
    guard archived.isSound, let inspection else { return nil }
    do {
      return try await inspection(picture)?.finding(place, facts)
    } catch {
      return Finding(.brokenPicture, place, "cannot check the picture: \(error.reason)")
    }
  }
}

extension PictureFlaw {
  fileprivate func finding(_ place: String, _ facts: PictureFacts) -> Finding {
    switch self {
    case .format(let format):
      Finding(
        .wrongFormat, place,
        "format is \(format?.rawValue ?? "unknown"), expected \(facts.format.rawValue)")
    case .size(let size):
      Finding(.wrongSize, place, "size is \(size.text), expected \(facts.size.text)")
    case .undecodable(let reason):
      Finding(.brokenPicture, place, "cannot decode the picture: \(reason)")
    }
  }
}

extension PixelSize {
  fileprivate var text: String { "\(width)×\(height)" }
}
