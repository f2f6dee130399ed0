import API
import Bytes
import Files
import Foundation
import Memes
import Storage

/// Writes each template into a subfolder, as ``TemplateImport`` reads it: `template.json` and the picture `image`.
struct TemplateExport {
  let path: String
  let store: TemplateStore
  let disk: DiskReserve
  let digest: Digester

  /// Writes all templates. Files of an earlier export are replaced, and those of templates that were deleted since are
  /// removed.
  ///
  /// - Parameter report: receives templates whose picture is damaged. They are left out, and their files of an earlier
  ///   export stay.
  /// - Returns: the numbers of written templates, and of those that were left out.
  func run(
    isStopped: () -> Bool, report: (TemplateID, _ reason: String) -> Void,
    progress: (_ done: Int64, _ all: Int64) -> Void
  ) async throws -> (written: Int, damaged: Int) {
    try Self.make(path)
    let all = try await numberOfTemplates()
    var (count, damaged, position) = (0, 0, ListPosition?.none)
    var written: Set<String> = []
    progress(0, Int64(all))
    repeat {
      let page = try await templates(after: position)
      for template in page.items {
        if isStopped() { return (written.count, damaged) }
        do {
          if try await write(template) { written.insert(Self.name(of: template)) }
        } catch MemeError.storage(let error) {
          damaged += 1
          report(template.id, "\(error)")
        }
        count += 1
        // Templates may have been added or deleted since they were counted.
        progress(Int64(count), Int64(max(all, count)))
      }
      position = page.next
    } while position != nil
    try await removeFormer(except: written)
    return (written.count, damaged)
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

  /// The name of its folder. An alias is a safe file name.
  private static func name(of template: Template) -> String {
    template.fields.aliases.first?.text ?? template.id.description
  }

  /// - Returns: `false` if the template was deleted since it was listed.
  private func write(_ template: Template) async throws -> Bool {
    guard disk.hasRoom(at: path) else { throw MemeError.storageFull }
    let folder = "\(path)/\(Self.name(of: template))"
    do {
      let picture = try await store.picture(.picture, of: template.id).bytes()
      guard digest(picture) == template.picture.digest else { throw MemeError.storage(Damage()) }
      try Self.make(folder)
      try DurableFile.write(picture, to: template.picture.format.fileName("image"), in: folder)
      // An earlier export may have written another template with this alias here, and an import takes one picture.
      for format in PictureFormat.allCases where format != template.picture.format {
        unlink("\(folder)/\(format.fileName("image"))")
      }
    } catch MemeError.gone {
      return false
    }
    try DurableFile.write(TemplateFile.text(of: template), to: "template.json", in: folder)
    return true
  }

  private struct Damage: Error, CustomStringConvertible {
    let description = "the picture does not match its digest"
  }

  /// Removes the templates in folders of earlier exports that were deleted since, or have another folder now. An import
  /// would bring them back. Folders with templates that this server never had stay, and so do other files.
  private func removeFormer(except written: Set<String>) async throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    // The file system may ignore case.
    for name in names where !written.contains(name.lowercased()) {
      let folder = "\(path)/\(name)"
      guard let id = Self.templateID(in: folder), try await isFormer(id, written) else { continue }
      for format in PictureFormat.allCases { unlink("\(folder)/\(format.fileName("image"))") }
      unlink("\(folder)/template.json")
      // This fails if there are other files.
      rmdir(folder)
    }
  }

  private func isFormer(_ id: TemplateID, _ written: Set<String>) async throws -> Bool {
    do {
      return written.contains(Self.name(of: try await store.template(id)))
    } catch MemeError.gone {
      return true
    } catch MemeError.notFound {
      return false
    }
  }

  private struct ExportedTemplate: Decodable { let id: String? }

  /// The ID in the file `template.json` of a folder; `nil` if there is none.
  private static func templateID(in folder: String) -> TemplateID? {
    let file = "\(folder)/template.json"
    guard FileStatus(of: folder, followingLinks: false)?.kind == .folder,
      let status = FileStatus(of: file, followingLinks: false), status.kind == .file,
      status.byteCount <= TemplateFile.maximumBytes,
      let text = try? Data(contentsOf: URL(filePath: file)),
      let template = try? JSONDecoder().decode(ExportedTemplate.self, from: text)
    else { return nil }
    return template.id.flatMap { TemplateID($0) }
  }

  private static func make(_ path: String) throws {
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw FileError("create", path) }
  }
}
