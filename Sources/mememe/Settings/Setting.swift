import Memes

/// One setting: its name, what it is for, and how its text is read.
package struct Setting: Sendable {
  package static let prefix = "MEMEME_"

  /// Without the prefix: `RENDER_MAX_EDGE`.
  package let name: String
  /// What stands where nothing is set, for people.
  package let standard: String
  package let help: String
  let apply: @Sendable (inout Settings, SettingText) throws -> Void

  /// `MEMEME_RENDER_MAX_EDGE`
  package var variable: String { Self.prefix + name }

  /// `--render-max-edge`
  package var flag: String { "--" + name.lowercased().replacing("_", with: "-") }

  private init(
    _ name: String, _ standard: String, _ help: String,
    _ apply: @escaping @Sendable (inout Settings, SettingText) throws -> Void
  ) {
    (self.name, self.standard, self.help, self.apply) = (name, standard, help, apply)
  }

  /// Every setting there is.
  package static let all: [Setting] = [
    Setting("HOST", "127.0.0.1", "the address or name to listen on") {
      $0.host = try $1.nonEmpty()
    },
    Setting("PORT", "8080", "the port to listen on; 0 is any free one") {
      $0.port = try $1.number(0...65_535)
    },
    Setting("DATA", "./data", "the folder that holds everything") {
      $0.dataFolder = try $1.nonEmpty()
    },
    Setting("ADMIN_TOKEN", "made", "the admin's bearer token, 16 to 512 characters") {
      $0.adminToken = try $1.token()
    },
    Setting("PUBLIC_URL", "from HOST and PORT", "where clients see the server") {
      $0.publicURL = try $1.publicURL()
    },
    Setting("ANONYMOUS", "true", "whether people without credentials may do anything") {
      $0.anonymous = try $1.flag()
    },
    Setting("MAX_UPLOAD_BYTES", "33554432", "how many bytes a picture's file may have") {
      $0.maxUploadBytes = try $1.number(1024...1 << 30)
    },
    Setting("MAX_PIXELS", "100000000", "how many pixels a picture may have, all frames together") {
      $0.maxPixels = try $1.number(1...1_000_000_000)
    },
    Setting("RENDER_MAX_EDGE", "2048", "the longest edge of a render that asks for none") {
      $0.renderMaxEdge = try $1.number(MaxEdge.range)
    },
    Setting("RENDER_WORKERS", "cores", "how many pictures are drawn at once") {
      $0.renderWorkers = try $1.number(1...256)
    },
    Setting("RENDER_QUEUE", "256", "how many pictures may wait to be drawn") {
      $0.renderQueue = try $1.number(0...65_536)
    },
    Setting("RENDER_TIMEOUT", "20", "the seconds that a picture may wait and be drawn") {
      $0.renderTimeoutSeconds = try $1.number(1...3600)
    },
    Setting("LOG_LEVEL", "info", "debug, info, warning or error") {
      $0.logLevel = try $1.word()
    },
    Setting("LOG_FORMAT", "text", "text or json") {
      $0.logFormat = try $1.word()
    },
  ]
}
