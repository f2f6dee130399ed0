package import Bytes
import CAssets

/// Project files embedded in the binary. `Sources/CAssets` lists them.
package enum Assets {
  /// The API contract that the server serves: `openapi.yaml`.
  package static var openAPI: Bytes {
    // The bytes are constants of the binary, so there is nothing to free.
    Bytes(adopting: assets_openapi().memory) {}
  }

  /// The same contract as JSON.
  package static var openAPIJSON: Bytes { Bytes(adopting: assets_openapi_json().memory) {} }

  /// The same contract in OpenAPI 3.0.3, as YAML.
  package static var openAPI30: Bytes { Bytes(adopting: assets_openapi_30().memory) {} }

  /// The most common passwords: in lowercase, one per line, sorted by bytes.
  package static var commonPasswords: Bytes {
    Bytes(adopting: assets_common_passwords().memory) {}
  }

  /// The names of emoji: a name, a tab and the emoji in each line, sorted by the bytes of the names.
  package static var emojiNames: Bytes { Bytes(adopting: assets_emoji_names().memory) {} }

  /// The files of `migrations/`, oldest first.
  package static var migrations: [(name: String, sql: String)] {
    (0..<assets_migration_count()).map { index in
      let file = assets_migration(index)
      return (String(cString: file.name), String(decoding: file.memory, as: UTF8.self))
    }
  }

  /// The files of `migrations/postgres/`, oldest first.
  package static var serverMigrations: [(name: String, sql: String)] {
    (0..<assets_server_migration_count()).map { index in
      let file = assets_server_migration(index)
      return (String(cString: file.name), String(decoding: file.memory, as: UTF8.self))
    }
  }

  /// The files of the web app, each with its path relative to `Sources/Web`.
  package static var web: [(path: String, bytes: Bytes)] {
    (0..<assets_web_count()).map { index in
      let file = assets_web(index)
      return (String(cString: file.name), Bytes(adopting: file.memory) {})
    }
  }

  /// The folders of `templates/`, sorted by name: `template.json` and `image.png` of each.
  static var templates: [(name: String, text: Bytes, picture: Bytes)] {
    let files = templateFiles
    return files.filter { $0.path.hasSuffix("/template.json") }.compactMap { text in
      let name = String(text.path.dropLast("/template.json".count))
      guard let picture = files.first(where: { $0.path == "\(name)/image.png" }) else { return nil }
      return (name, text.bytes, picture.bytes)
    }
  }

  /// The embedded files of `templates/`, each with its path in that folder.
  package static var templateFiles: [(path: String, bytes: Bytes)] {
    (0..<assets_template_count()).map { index in
      let file = assets_template(index)
      return (String(cString: file.name), Bytes(adopting: file.memory) {})
    }
  }
}

extension asset {
  fileprivate var memory: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes, count: count)
  }
}
