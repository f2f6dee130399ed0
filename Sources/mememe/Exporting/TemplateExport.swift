import API
import Files
import Foundation
import Memes
import Storage

/// Writes each template into a subfolder, as ``TemplateImport`` reads it: `template.json` and the picture `image`.
struct TemplateExport {
  let path: String
  let store: TemplateStore
  let disk: DiskReserve

  /// Writes all templates. Files of an earlier export are replaced.
  ///
  /// - Returns: the number of written templates.
  func run(
    isStopped: () -> Bool, progress: (_ done: Int64, _ all: Int64) -> Void
  ) async throws -> Int {
    try Self.make(path)
    let all = try await numberOfTemplates()
    var (count, position) = (0, ListPosition?.none)
    progress(0, Int64(all))
    repeat {
      let page = try await templates(after: position)
      for template in page.items {
        if isStopped() { return count }
        try await write(template)
        count += 1
        // Templates may have been added or deleted since they were counted.
        progress(Int64(count), Int64(max(all, count)))
      }
      position = page.next
    } while position != nil
    return count
  }

  private func numberOfTemplates() async throws -> Int {
    var (count, position) = (0, ListPosition?.none)
    repeat {
      let page = try await templates(after: position)
      count += page.items.count
      position = page.next
    } while position != nil
    return count
  }

  private func templates(after position: ListPosition?) async throws -> Page<Template> {
    try await store.templates(TemplateListing(after: position, limit: 100))
  }

  private func write(_ template: Template) async throws {
    guard disk.hasRoom(at: path) else { throw MemeError.storageFull }
    // An alias is a safe file name.
    let folder = "\(path)/\(template.fields.aliases.first?.text ?? template.id.description)"
    do {
      let picture = try await store.picture(.picture, of: template.id).bytes()
      try Self.make(folder)
      try DurableFile.write(picture, to: template.picture.format.fileName("image"), in: folder)
      // An earlier export may have written another template with this alias here, and an import takes one picture.
      for format in PictureFormat.allCases where format != template.picture.format {
        unlink("\(folder)/\(format.fileName("image"))")
      }
    } catch MemeError.gone {
      // It was deleted since the page was read.
      return
    }
    try DurableFile.write(TemplateFile.text(of: template), to: "template.json", in: folder)
  }

  private static func make(_ path: String) throws {
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw FileError("create", path) }
  }
}
