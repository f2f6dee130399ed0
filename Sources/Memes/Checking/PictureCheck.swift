import Bytes

/// Holds one picture against its row: there, as long as told, the bytes that were stored, and what they say they are.
struct PictureCheck: Sendable {
  let archive: any MemeArchive
  let inspector: any PictureInspector
  let digest: Digester

  struct Outcome: Sendable {
    /// `nil` where there was nothing to read.
    var bytes: Int?
    var findings: [Finding] = []
  }

  func check(_ picture: ArchivedPicture, of meme: ArchivedMeme) async -> Outcome {
    let place = "\(meme.place) picture=\(picture.name)"
    let file: PictureFile
    do throws(MemeError) {
      guard let found = try archive.picture(picture, of: meme.sequence) else { return Outcome() }
      file = found
    } catch {
      return Outcome(findings: [Finding(.unreadableBlob, place, error.reason)])
    }
    let finding = await finding(in: file, place)
    return Outcome(bytes: file.bytes.count, findings: finding.map { [$0] } ?? [])
  }

  /// The first thing that is wrong: the rest follows from it.
  private func finding(in picture: PictureFile, _ place: String) async -> Finding? {
    let facts = picture.facts
    guard picture.bytes.count == facts.byteCount else {
      return Finding(
        .wrongLength, place,
        "\(picture.bytes.count) bytes are stored and \(facts.byteCount) expected")
    }
    guard digest(picture.bytes) == facts.digest else {
      return Finding(
        .wrongDigest, place, "the bytes are not those that were stored: their SHA-256 differs")
    }
    do throws(MemeError) {
      return try await inspector.flaw(of: picture)?.finding(place, facts)
    } catch {
      return Finding(.brokenPicture, place, "it could not be tried: \(error.reason)")
    }
  }
}

extension PictureFlaw {
  fileprivate func finding(_ place: String, _ facts: PictureFacts) -> Finding {
    switch self {
    case .format(let format):
      Finding(
        .wrongFormat, place,
        "it is \(format?.rawValue ?? "no picture of a known kind"), not \(facts.format.rawValue)")
    case .size(let size):
      Finding(.wrongSize, place, "it is \(size.text), not \(facts.size.text)")
    case .undecodable(let reason):
      Finding(.brokenPicture, place, "it cannot be decoded: \(reason)")
    }
  }
}

extension PixelSize {
  fileprivate var text: String { "\(width)×\(height)" }
}

extension ArchivedMeme {
  fileprivate var place: String { id.map { "meme=\($0)" } ?? "meme-row=\(sequence)" }

  /// What is wrong with the row and with what belongs to it, before any picture is looked at.
  var findings: [Finding] {
    if let damage { return [Finding(.unreadableRow, place, damage)] }
    let missing = PictureRole.allCases.map(ArchivedPicture.role).filter { pictures[$0] == nil }
    let empty = pictures.filter { !$0.value }.keys
    return missing.map {
      Finding(.missingPicture, "\(place) picture=\($0.name)", "the meme lacks this picture")
    }
      + empty.map {
        Finding(
          .missingBlob, "\(place) picture=\($0.name)", "the picture's bytes are not there")
      }
  }
}

extension ArchivedBlob {
  var finding: Finding? {
    hasPicture
      ? nil : Finding(.orphanBlob, "blob=\(number)", "these bytes belong to no picture")
  }
}
