/// Something that is kept and has pictures.
protocol ArchivedRow: Sendable {
  var sequence: Int64 { get }

  /// What is wrong with the row and with what belongs to it, before any picture is looked at.
  var findings: [RowFinding] { get }

  /// Those of its pictures whose bytes are there.
  func pictures(in archive: any MemeArchive) -> [ArchivedPicture]

  /// How something of it can be mended.
  ///
  /// - Parameters:
  ///   - file: `nil` for the row itself.
  ///   - damaged: those of its files that nothing can be made of.
  func mending(
    of file: KeptFile?, _ kind: Finding.Kind, besides damaged: Set<KeptFile>
  ) -> Mending?
}

extension ArchivedRow {
  /// Says of each finding how it can be mended, when all are there.
  func mendable(_ found: [RowFinding]) -> [Finding] {
    // What only its row says wrongly is whole itself.
    let damaged = Set(found.filter { !$0.finding.kind.isOfTheRow }.compactMap(\.file))
    return found.map { found in
      found.finding.mended(by: mending(of: found.file, found.finding.kind, besides: damaged))
    }
  }
}

extension Finding.Kind {
  /// Whether the bytes are those that were stored, and their row says something else of them.
  fileprivate var isOfTheRow: Bool { [.wrongFormat, .wrongSize].contains(self) }
}

/// One of the files of what is kept.
enum KeptFile: Hashable, Sendable {
  case meme(MemePicture)
  case upload
  case template(TemplateRole)
  case avatar(AvatarSize)
}

/// Something that is wrong with a row, or with one of its files.
struct RowFinding: Sendable {
  let file: KeptFile?
  let finding: Finding

  init(_ file: KeptFile?, _ finding: Finding) { (self.file, self.finding) = (file, finding) }
}

/// A picture to be held against its row.
struct ArchivedPicture: Sendable {
  let file: KeptFile
  let place: String
  /// Whether it was decoded before it was kept. Of others it is enough that they are what was sent.
  let isSound: Bool
  /// `nil` where it is purged meanwhile.
  let read: @Sendable () throws(MemeError) -> PictureFile?
}

extension ArchivedMeme: ArchivedRow {
  private var place: String { id.map { "meme=\($0)" } ?? "meme-row=\(sequence)" }

  private func place(of picture: MemePicture) -> String { "\(place) picture=\(picture.name)" }

  var findings: [RowFinding] {
    if let damage { return [RowFinding(nil, Finding(.unreadableRow, place, damage))] }
    let missing = PictureRole.allCases.map(MemePicture.role).filter { pictures[$0] == nil }
    let empty = pictures.filter { !$0.value }.keys
    return missing.map {
      RowFinding(
        .meme($0), Finding(.missingPicture, place(of: $0), "the meme lacks this picture"))
    }
      + empty.map {
        RowFinding(
          .meme($0), Finding(.missingBlob, place(of: $0), "the picture's bytes are not there"))
      }
  }

  func pictures(in archive: any MemeArchive) -> [ArchivedPicture] {
    pictures.filter(\.value).keys.map { picture in
      ArchivedPicture(file: .meme(picture), place: place(of: picture), isSound: true) {
        () throws(MemeError) in try archive.picture(picture, of: sequence)
      }
    }
  }

  func mending(
    of file: KeptFile?, _ kind: Finding.Kind, besides damaged: Set<KeptFile>
  ) -> Mending? {
    guard case .meme(let picture)? = file else { return nil }
    let (original, image) = (KeptFile.meme(.role(.original)), KeptFile.meme(.role(.image)))
    switch picture {
    case .derived(let width, let format):
      return .derived(width: width, format: format, meme: sequence)
    case .role(let role) where kind.isOfTheRow: return .facts(role, meme: sequence)
    case .role(.original): return nil
    case .role(.image):
      return damaged.contains(original) ? nil : .picture(.image, meme: sequence)
    case .role(let role):
      return damaged.isSuperset(of: [original, image]) ? nil : .picture(role, meme: sequence)
    }
  }
}

extension ArchivedUpload: ArchivedRow {
  // Not by its id, by which it could be used.
  private var place: String { "upload-row=\(sequence)" }

  var findings: [RowFinding] {
    if let damage { return [RowFinding(nil, Finding(.unreadableRow, place, damage))] }
    return hasBytes
      ? [] : [RowFinding(.upload, Finding(.missingBlob, place, "the upload's bytes are not there"))]
  }

  func pictures(in archive: any MemeArchive) -> [ArchivedPicture] {
    guard hasBytes else { return [] }
    return [
      ArchivedPicture(file: .upload, place: place, isSound: false) { () throws(MemeError) in
        try archive.upload(sequence)
      }
    ]
  }

  /// A row without bytes refers to nothing, and goes as such.
  func mending(
    of file: KeptFile?, _ kind: Finding.Kind, besides damaged: Set<KeptFile>
  ) -> Mending? { kind == .missingBlob ? .references(table: "uploads") : nil }
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
          .wrongLength, place, "\(found) bytes are there in its pieces, and \(received) were"))
    ]
  }

  func pictures(in archive: any MemeArchive) -> [ArchivedPicture] { [] }

  func mending(
    of file: KeptFile?, _ kind: Finding.Kind, besides damaged: Set<KeptFile>
  ) -> Mending? { .unfinishedUpload(sequence) }
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
        Finding(.missingBlob, place(of: role), "the picture's bytes are not there"))
    }
  }

  func pictures(in archive: any MemeArchive) -> [ArchivedPicture] {
    files.filter(\.value).keys.map { role in
      ArchivedPicture(file: .template(role), place: place(of: role), isSound: true) {
        () throws(MemeError) in try archive.picture(role, ofTemplate: sequence)
      }
    }
  }

  func mending(
    of file: KeptFile?, _ kind: Finding.Kind, besides damaged: Set<KeptFile>
  ) -> Mending? {
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
          ? Finding(.missingPicture, place(of: size), "the person lacks this picture")
          : Finding(.missingBlob, place(of: size), "the picture's bytes are not there"))
    }
  }

  func pictures(in archive: any MemeArchive) -> [ArchivedPicture] {
    files.filter(\.value).keys.map { size in
      ArchivedPicture(file: .avatar(size), place: place(of: size), isSound: true) {
        () throws(MemeError) in try archive.picture(size, ofAvatar: sequence)
      }
    }
  }

  func mending(
    of file: KeptFile?, _ kind: Finding.Kind, besides damaged: Set<KeptFile>
  ) -> Mending? {
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
        .orphanBlob, "blob=\(number)", "these bytes belong to nothing", mending: .blob(number))
  }
}
