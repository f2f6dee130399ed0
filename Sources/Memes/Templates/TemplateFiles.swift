/// The files of a new template.
package struct TemplateFiles: Sendable {
  package let picture: PictureFile
  package let thumbnail: PictureFile

  package init(picture: PictureFile, thumbnail: PictureFile) {
    (self.picture, self.thumbnail) = (picture, thumbnail)
  }
}

extension Template {
  /// A new template with these files.
  package init(
    id: TemplateID, _ fields: TemplateFields, createdAt: Timestamp, with files: TemplateFiles
  ) {
    self.init(
      id: id, fields, createdAt: createdAt, picture: files.picture.facts,
      thumbnail: files.thumbnail.facts)
  }
}
