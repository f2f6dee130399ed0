import Bytes

/// Holds one picture against its row: there, as long as told, the bytes that were stored, and what they say they are.
struct PictureCheck: Sendable {
  /// `nil` where no picture is decoded.
  let inspector: (any PictureInspector)?
  let digest: Digester

  struct Outcome: Sendable {
    /// `nil` where there was nothing to read.
    var bytes: Int?
    var findings: [Finding] = []
  }

  func check(_ archived: ArchivedPicture) async -> Outcome {
    let picture: PictureFile
    do throws(MemeError) {
      guard let found = try archived.read() else { return Outcome() }
      picture = found
    } catch {
      return Outcome(findings: [Finding(.unreadableBlob, archived.place, error.reason)])
    }
    let finding = await finding(in: picture, archived)
    return Outcome(bytes: picture.bytes.count, findings: finding.map { [$0] } ?? [])
  }

  /// The first thing that is wrong: the rest follows from it.
  private func finding(
    in picture: PictureFile, _ archived: ArchivedPicture
  ) async -> Finding? {
    let place = archived.place
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
    guard archived.isSound, let inspector else { return nil }
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
