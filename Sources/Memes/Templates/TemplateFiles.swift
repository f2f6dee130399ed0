/// The files of a new template.
package struct TemplateFiles: Sendable {
  package let picture: PictureFile
  package let thumbnail: PictureFile

  package init(picture: PictureFile, thumbnail: PictureFile) {
    (self.picture, self.thumbnail) = (picture, thumbnail)
  }
}
