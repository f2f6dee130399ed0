import API
import Bytes
import Foundation
import Memes
import Rendering
import Storage

/// Imports templates from a folder with a subfolder for each of them: `template.json` and a picture `image`, or
/// `config.yml` and a picture `default` as memegen has them.
struct TemplateImport {
  enum Outcome {
    case imported
    /// An earlier run imported the template.
    case there
    /// It was imported, and has been deleted since.
    case deleted
    case failed(RowFault)
  }

  let folder: PictureFolder
  let store: TemplateStore
  let renderer: PooledRenderer
  let faces: [FontFace]
  let hasRoom: @Sendable () -> Bool
  let digest: Digester

  /// The names of the subfolders with a template.
  var names: [String] {
    folder.subfolders().filter { name in
      // memegen keeps templates for its own errors and tests in folders like `_error`.
      folder.has("\(name)/template.json")
        || !name.hasPrefix("_") && folder.has("\(name)/config.yml")
    }
  }

  /// Imports the template in a subfolder. On return, it is durable.
  ///
  /// - Throws: an error that also concerns the templates after this one.
  func take(_ name: String, at time: Timestamp) async throws -> Outcome {
    do {
      return try await bring(name, at: time)
    } catch let fault as RowFault {
      return .failed(fault)
    } catch {
      guard let fault = RowFault(error) else { throw error }
      return .failed(fault)
    }
  }

  private func bring(_ name: String, at time: Timestamp) async throws -> Outcome {
    let (id, fields, picture) = try await read(name)
    do {
      _ = try await store.template(id)
      return .there
    } catch MemeError.gone {
      return .deleted
    } catch MemeError.notFound {}
    guard hasRoom() else { throw MemeError.storageFull }
    let files = try await renderer.template(of: .sent(picture))
    let template = Template(id: id, fields, createdAt: time, with: files)
    _ = try await store.insert(ofServer: [(template, files)], onlyIfNew: false)
    return .imported
  }

  private func read(_ name: String) async throws -> (TemplateID, TemplateFields, Bytes) {
    let isOurs = folder.has("\(name)/template.json")
    let text = try folder.file(
      at: "\(name)/\(isOurs ? "template.json" : "config.yml")",
      maximumBytes: isOurs ? TemplateFile.maximumBytes : MemegenConfig.maximumBytes)
    let picture = try picture(of: name, named: isOurs ? "image" : "default")
    // The same folder gets the same ID, so that it is imported once.
    let derived = Self.id(of: name, text: text, picture: picture, digest)
    if isOurs {
      let file = try TemplateFile(text, faces: faces)
      return (file.id ?? derived, file.fields, picture)
    }
    let config = try MemegenConfig(text)
    let size = try await renderer.facts(of: picture).size
    return (derived, try config.fields(named: name, size: size, faces: faces), picture)
  }

  /// The ID of a template whose file has none.
  static func id(
    of name: String, text: Bytes, picture: Bytes, _ digest: Digester
  ) -> TemplateID {
    .version8(
      Digest(
        of: ["template", name, digest(text).hexadecimal, digest(picture).hexadecimal], digest))
  }

  private func picture(of name: String, named stem: String) throws(RowFault) -> Bytes {
    // A folder of memegen can have a moving picture next to the still one.
    for ending in ["png", "jpg", "jpeg", "webp", "avif", "heic", "gif"] {
      let path = "\(name)/\(stem).\(ending)"
      if folder.has(path) { return try folder.picture(at: path) }
    }
    throw RowFault(stem, "The folder has no picture with this name.")
  }
}
