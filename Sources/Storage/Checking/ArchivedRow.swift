import Memes

/// A stored row that has pictures.
protocol ArchivedRow: Sendable {
  /// The problems of the row and of its related rows, before any picture is read.
  var findings: [RowFinding] { get }

  /// The row's pictures that have bytes.
  func pictures(in archive: MemeArchive) -> [ArchivedPicture]

  /// The repair for a problem of the row or of one of its files; `nil` if it cannot be repaired.
  ///
  /// - Parameters:
  ///   - file: `nil` for the row itself.
  ///   - damaged: the row's files that cannot be the source of a repair.
  func repair(
    of file: StoredFile?, _ kind: Finding.Kind, besides damaged: Set<StoredFile>
  ) -> RepairAction?
}

extension ArchivedRow {
  /// Adds to each finding how it can be repaired. This requires all findings of the row.
  func repairable(_ found: [RowFinding]) -> [Finding] {
    let damaged = Set(found.filter { !$0.finding.kind.sparesTheFile }.compactMap(\.file))
    return found.map { found in
      found.finding.repaired(by: repair(of: found.file, found.finding.kind, besides: damaged))
    }
  }
}

extension Finding.Kind {
  /// Whether the bytes are intact, and their row describes them incorrectly.
  fileprivate var isOfTheRow: Bool { [.wrongFormat, .wrongSize].contains(self) }

  /// Whether the file can still be the source of a repair.
  fileprivate var sparesTheFile: Bool { isOfTheRow || self == .surplusPicture }
}

/// A file that belongs to a row.
enum StoredFile: Hashable, Sendable {
  case meme(MemePicture)
  case upload
  case template(TemplateRole)
  case avatar(AvatarSize)
}

/// A problem of a row, or of one of its files.
struct RowFinding: Sendable {
  let file: StoredFile?
  let finding: Finding

  init(_ file: StoredFile?, _ finding: Finding) { (self.file, self.finding) = (file, finding) }
}

/// A picture to compare with its row.
struct ArchivedPicture: Sendable {
  let file: StoredFile
  let place: String
  /// Whether the picture was decoded before it was stored. For other pictures, the check only compares the bytes.
  let isSound: Bool
  /// Returns `nil` if the picture was purged during the check.
  let read: @Sendable () throws -> PictureFile?
}

extension ArchivedMeme: ArchivedRow {
  private var place: String { id.map { "meme=\($0)" } ?? "meme-row=\(sequence)" }

  private func place(of picture: MemePicture) -> String { "\(place) picture=\(picture.name)" }

  var findings: [RowFinding] {
    if let damage { return [RowFinding(nil, Finding(.unreadableRow, place, damage))] }
    let expected = PictureRole.allCases.map(MemePicture.role) + boxed
    let missing = expected.filter { pictures[$0] == nil }
    let empty = pictures.filter { !$0.value }.keys
    let surplus = pictures.keys.filter { picture in
      if case .boxed(let index) = picture { index >= boxes } else { false }
    }
    return missing.map {
      RowFinding(
        .meme($0), Finding(.missingPicture, place(of: $0), "the meme has no such picture"))
    }
      + surplus.map {
        RowFinding(.meme($0), Finding(.surplusPicture, place(of: $0), "the meme has no such box"))
      }
      + empty.map {
        RowFinding(
          .meme($0), Finding(.missingBlob, place(of: $0), "the picture's bytes are missing"))
      }
  }

  private var boxed: [MemePicture] { (0..<boxes).map(MemePicture.boxed) }

  func pictures(in archive: MemeArchive) -> [ArchivedPicture] {
    pictures.filter(\.value).keys.map { picture in
      ArchivedPicture(file: .meme(picture), place: place(of: picture), isSound: true) {
        try archive.picture(picture, of: sequence)
      }
    }
  }

  func repair(
    of file: StoredFile?, _ kind: Finding.Kind, besides damaged: Set<StoredFile>
  ) -> RepairAction? {
    guard case .meme(let picture)? = file else { return nil }
    let image = StoredFile.meme(.role(.image))
    // The pictures from which the image is drawn.
    let sources = ([.role(.original)] + boxed).map(StoredFile.meme)
    switch picture {
    case .derived(let width, let format):
      return .derived(width: width, format: format, meme: sequence)
    case .role(let role) where kind.isOfTheRow:
      return .facts(PictureNumber(role), meme: sequence)
    case .boxed(let index) where kind.isOfTheRow: return .facts(.boxed(index), meme: sequence)
    case .boxed(let index) where kind == .surplusPicture:
      return .surplus(.boxed(index), meme: sequence)
    case .role(.original), .boxed: return nil
    case .role(.image):
      return damaged.isDisjoint(with: sources) ? .picture(.image, meme: sequence) : nil
    case .role(let role):
      return damaged.contains(image) && !damaged.isDisjoint(with: sources)
        ? nil : .picture(role, meme: sequence)
    }
  }
}

extension ArchivedUpload: ArchivedRow {
  // Not the ID of the upload: anyone who knows it can use the upload.
  private var place: String { "upload-row=\(sequence)" }

  var findings: [RowFinding] {
    if let damage { return [RowFinding(nil, Finding(.unreadableRow, place, damage))] }
    return hasBytes
      ? [] : [RowFinding(.upload, Finding(.missingBlob, place, "the upload's bytes are missing"))]
  }

  func pictures(in archive: MemeArchive) -> [ArchivedPicture] {
    guard hasBytes else { return [] }
    return [
      ArchivedPicture(file: .upload, place: place, isSound: false) {
        try archive.upload(sequence)
      }
    ]
  }

  /// A row without bytes is a broken reference, and is repaired as one.
  func repair(
    of file: StoredFile?, _ kind: Finding.Kind, besides damaged: Set<StoredFile>
  ) -> RepairAction? { kind == .missingBlob ? .references(table: "uploads") : nil }
}

extension ArchivedUnfinishedUpload: ArchivedRow {
  private var place: String { "unfinished-upload-row=\(sequence)" }

  var findings: [RowFinding] {
    if let damage { return [RowFinding(nil, Finding(.unreadableRow, place, damage))] }
    guard found != received else { return [] }
    return [
      RowFinding(
        nil,
        Finding(
          .wrongLength, place, "its pieces have \(found) bytes, \(received) expected"))
    ]
  }

  func pictures(in archive: MemeArchive) -> [ArchivedPicture] { [] }

  func repair(
    of file: StoredFile?, _ kind: Finding.Kind, besides damaged: Set<StoredFile>
  ) -> RepairAction? { .unfinishedUpload(sequence) }
}

extension ArchivedTemplate: ArchivedRow {
  private var place: String { id.map { "template=\($0)" } ?? "template-row=\(sequence)" }

  private func place(of role: TemplateRole) -> String {
    switch role {
    case .picture: "\(place) picture=image"
    case .thumbnail: "\(place) picture=thumbnail"
    }
  }

  var findings: [RowFinding] {
    if let damage { return [RowFinding(nil, Finding(.unreadableRow, place, damage))] }
    return TemplateRole.allCases.filter { files[$0] != true }.map { role in
      RowFinding(
        .template(role),
        Finding(.missingBlob, place(of: role), "the picture's bytes are missing"))
    }
  }

  func pictures(in archive: MemeArchive) -> [ArchivedPicture] {
    files.filter(\.value).keys.map { role in
      ArchivedPicture(file: .template(role), place: place(of: role), isSound: true) {
        try archive.picture(role, ofTemplate: sequence)
      }
    }
  }

  func repair(
    of file: StoredFile?, _ kind: Finding.Kind, besides damaged: Set<StoredFile>
  ) -> RepairAction? {
    guard file == .template(.thumbnail), !damaged.contains(.template(.picture)) else { return nil }
    return .thumbnail(template: sequence)
  }
}

extension ArchivedAvatar: ArchivedRow {
  private var place: String { "avatar-row=\(sequence)" }

  private func place(of size: AvatarSize) -> String { "\(place) picture=\(size.rawValue)" }

  var findings: [RowFinding] {
    if let damage { return [RowFinding(nil, Finding(.unreadableRow, place, damage))] }
    return AvatarSize.allCases.filter { files[$0] != true }.map { size in
      RowFinding(
        .avatar(size),
        files[size] == nil
          ? Finding(.missingPicture, place(of: size), "the user has no such picture")
          : Finding(.missingBlob, place(of: size), "the picture's bytes are missing"))
    }
  }

  func pictures(in archive: MemeArchive) -> [ArchivedPicture] {
    files.filter(\.value).keys.map { size in
      ArchivedPicture(file: .avatar(size), place: place(of: size), isSound: true) {
        try archive.picture(size, ofAvatar: sequence)
      }
    }
  }

  func repair(
    of file: StoredFile?, _ kind: Finding.Kind, besides damaged: Set<StoredFile>
  ) -> RepairAction? {
    guard case .avatar(let size)? = file, size != .large, !damaged.contains(.avatar(.large)) else {
      return nil
    }
    return .avatar(size, person: sequence)
  }
}

extension ArchivedBlob {
  var finding: Finding? {
    hasOwner
      ? nil
      : Finding(
        .orphanBlob, "blob=\(number)", "orphaned bytes", repair: .blob(number))
  }
}
