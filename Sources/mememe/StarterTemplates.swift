import API
import Bytes
import Foundation
import Memes
import Rendering
import Storage

/// Adds the templates of the folder `templates` to a server that never had a template, while the server runs.
///
/// It may end at any time, even by a crash: all templates are added in one transaction, and the next start tries again.
/// If several servers start with one database, one of them adds the templates.
final class StarterTemplates: Sendable {
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - hasRoom: whether the disk has room for more pictures.
  ///   - pause: waits before a retry after a failure; throws if the task is canceled.
  ///   - report: receives the number of added templates, and the error of each failure.
  init(
    store: TemplateStore, renderer: PooledRenderer, hasRoom: @escaping @Sendable () -> Bool,
    now: @escaping @Sendable () -> Timestamp, pause: @escaping @Sendable () async throws -> Void,
    report: @escaping @Sendable (Result<Int, any Error>) -> Void
  ) {
    task = Task {
      while !Task.isCancelled {
        do {
          return report(.success(try await Self.add(to: store, renderer, hasRoom, at: now())))
        } catch {
          guard !Task.isCancelled else { return }
          report(.failure(error))
          do { try await pause() } catch { return }
        }
      }
    }
  }

  /// Stops after the current drawing or transaction, if there is one.
  func stop() async {
    task.cancel()
    await task.value
  }

  /// - Returns: the number of added templates.
  private static func add(
    to store: TemplateStore, _ renderer: PooledRenderer, _ hasRoom: @Sendable () -> Bool,
    at time: Timestamp
  ) async throws -> Int {
    guard try await !store.hadTemplates() else { return 0 }
    guard hasRoom() else { throw MemeError.storageFull }
    let faces = try await renderer.faces().faces
    var added: [(template: Template, files: TemplateFiles)] = []
    for folder in Assets.templates {
      let fields = try TemplateFile(folder.text, faces: faces).fields
      let files = try await renderer.template(of: .sent(folder.picture))
      // The same ID as after an import of the folder, which then adds nothing.
      let id = TemplateImport.id(
        of: folder.name, text: folder.text, picture: folder.picture, Server.digest)
      added.append((Template(id: id, fields, createdAt: time, with: files), files))
    }
    return try await store.insert(ofServer: added, onlyIfNew: true) ? added.count : 0
  }
}
