/// Something that is kept and has pictures.
protocol ArchivedRow: Sendable {
  var sequence: Int64 { get }

  /// What is wrong with the row and with what belongs to it, before any picture is looked at.
  var findings: [Finding] { get }

  /// Those of its pictures whose bytes are there.
  func pictures(in archive: any MemeArchive) -> [ArchivedPicture]
}

/// A picture to be held against its row.
struct ArchivedPicture: Sendable {
  let place: String
  /// Whether it was decoded before it was kept. Of others it is enough that they are what was sent.
  let isSound: Bool
  /// `nil` where it is purged meanwhile.
  let read: @Sendable () throws(MemeError) -> PictureFile?
}

extension ArchivedMeme: ArchivedRow {
  private var place: String { id.map { "meme=\($0)" } ?? "meme-row=\(sequence)" }

  private func place(of picture: MemePicture) -> String { "\(place) picture=\(picture.name)" }

  var findings: [Finding] {
    if let damage { return [Finding(.unreadableRow, place, damage)] }
    let missing = PictureRole.allCases.map(MemePicture.role).filter { pictures[$0] == nil }
    let empty = pictures.filter { !$0.value }.keys
    return missing.map {
      Finding(.missingPicture, place(of: $0), "the meme lacks this picture")
    }
      + empty.map { Finding(.missingBlob, place(of: $0), "the picture's bytes are not there") }
  }

  func pictures(in archive: any MemeArchive) -> [ArchivedPicture] {
    pictures.filter(\.value).keys.map { picture in
      ArchivedPicture(place: place(of: picture), isSound: true) { () throws(MemeError) in
        try archive.picture(picture, of: sequence)
      }
    }
  }
}

extension ArchivedUpload: ArchivedRow {
  // Not by its id, by which it could be used.
  private var place: String { "upload-row=\(sequence)" }

  var findings: [Finding] {
    if let damage { return [Finding(.unreadableRow, place, damage)] }
    return hasBytes ? [] : [Finding(.missingBlob, place, "the upload's bytes are not there")]
  }

  func pictures(in archive: any MemeArchive) -> [ArchivedPicture] {
    guard hasBytes else { return [] }
    return [
      ArchivedPicture(place: place, isSound: false) { () throws(MemeError) in
        try archive.upload(sequence)
      }
    ]
  }
}

extension ArchivedUnfinishedUpload: ArchivedRow {
  private var place: String { "unfinished-upload-row=\(sequence)" }

  var findings: [Finding] {
    if let damage { return [Finding(.unreadableRow, place, damage)] }
    guard found != received else { return [] }
    return [
      Finding(.wrongLength, place, "\(found) bytes are there in its pieces, and \(received) were")
    ]
  }

  func pictures(in archive: any MemeArchive) -> [ArchivedPicture] { [] }
}

extension ArchivedTemplate: ArchivedRow {
  private var place: String { id.map { "template=\($0)" } ?? "template-row=\(sequence)" }

  private func place(of role: TemplateRole) -> String {
    switch role {
    case .picture: "\(place) picture=image"
    case .thumbnail: "\(place) picture=thumbnail"
    }
  }

  var findings: [Finding] {
    if let damage { return [Finding(.unreadableRow, place, damage)] }
    return TemplateRole.allCases.filter { files[$0] != true }.map { role in
      Finding(.missingBlob, place(of: role), "the picture's bytes are not there")
    }
  }

  func pictures(in archive: any MemeArchive) -> [ArchivedPicture] {
    files.filter(\.value).keys.map { role in
      ArchivedPicture(place: place(of: role), isSound: true) { () throws(MemeError) in
        try archive.picture(role, ofTemplate: sequence)
      }
    }
  }
}

extension ArchivedAvatar: ArchivedRow {
  private var place: String { "avatar-row=\(sequence)" }

  private func place(of size: AvatarSize) -> String { "\(place) picture=\(size.rawValue)" }

  var findings: [Finding] {
    if let damage { return [Finding(.unreadableRow, place, damage)] }
    return AvatarSize.allCases.filter { files[$0] != true }.map { size in
      files[size] == nil
        ? Finding(.missingPicture, place(of: size), "the person lacks this picture")
        : Finding(.missingBlob, place(of: size), "the picture's bytes are not there")
    }
  }

  func pictures(in archive: any MemeArchive) -> [ArchivedPicture] {
    files.filter(\.value).keys.map { size in
      ArchivedPicture(place: place(of: size), isSound: true) { () throws(MemeError) in
        try archive.picture(size, ofAvatar: sequence)
      }
    }
  }
}

extension ArchivedBlob {
  var finding: Finding? {
    hasOwner ? nil : Finding(.orphanBlob, "blob=\(number)", "these bytes belong to nothing")
  }
}
