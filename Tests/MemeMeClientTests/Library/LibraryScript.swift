import Foundation
import MemeMeClient
import Synchronization
import Testing
import Wire

/// The scripted responses to a library. For each kind of request, the responses of the test come first, one after
/// another. Then follow those of a server without memes.
final class LibraryScript: Sendable {
  typealias Reply = ScriptedServer.Reply

  private let replies = Mutex<[String: [Reply]]>([:])
  private let actions = Mutex<[String: @Sendable () -> Void]>([:])

  /// - Parameter call: The method and the path, with `ID` for a meme's id, such as `PATCH /memes/ID`.
  func on(_ call: String, _ replies: Reply...) {
    self.replies.withLock { $0[call, default: []] += replies }
  }

  /// - Parameter action: Runs once, when the next request of this kind has arrived, before its response.
  func before(_ call: String, _ action: @escaping @Sendable () -> Void) {
    actions.withLock { $0[call] = action }
  }

  func reply(to request: ScriptedServer.Request) -> Reply {
    let call = request.call
    actions.withLock { $0.removeValue(forKey: call) }?()
    let scripted = replies.withLock { replies -> Reply? in
      guard let first = replies[call]?.first else { return nil }
      replies[call]?.removeFirst()
      return first
    }
    if let scripted { return scripted }
    switch call {
    case "GET /users/me": return .send(ScriptedServer.answer("200 OK", Self.user("grumpy_cat")))
    case "GET /memes/changes": return Self.page()
    case "GET /memes/ID/thumbnail":
      return .send(
        ScriptedServer.answer("200 OK", "picture of \(request.target)", type: "image/jpeg"))
    case "POST /memes":
      guard let id = request.field("id").flatMap({ Meme.ID($0) }) else { return .close }
      return Self.made(
        Self.meme(id, top: request.field("top") ?? "", bottom: request.field("bottom") ?? ""))
    default: return .send(ScriptedServer.problem(500, "internal-error"))
    }
  }

  static func user(_ name: String, createdAt: String = "2026-01-02T03:04:05.678Z") -> String {
    """
    {"username": "\(name)", "displayName": null, "bio": null, "avatarUrl": "/x", "createdAt": "\(createdAt)",
     "email": "cat@example.org", "passwordChangedAt": "2026-01-02T03:04:05.678Z"}
    """
  }

  /// A page of changes.
  static func page(
    _ changes: String..., cursor: String = "cursor", hasMore: Bool = false
  ) -> Reply {
    .send(
      ScriptedServer.answer(
        "200 OK",
        #"{"changes": [\#(changes.joined(separator: ","))], "cursor": "\#(cursor)", "hasMore": \#(hasMore)}"#
      ))
  }

  static func upsert(_ meme: String) -> String { #"{"type": "upsert", "meme": \#(meme)}"# }

  static func deletion(_ id: Meme.ID) -> String {
    #"{"type": "delete", "id": "\#(id)", "deletedAt": "2026-11-21T08:05:00.123Z"}"#
  }

  static func meme(
    _ id: Meme.ID, version: Int = 1, top: String = "", bottom: String = "",
    createdAt: String = "2026-11-21T08:05:00.123Z"
  ) -> String {
    """
    {"id": "\(id)", "version": \(version), "createdAt": "\(createdAt)", "updatedAt": "\(createdAt)",
     "author": null, "visibility": "public", "top": "\(top)", "bottom": "\(bottom)", "captions": [],
     "style": {"font": "impact", "fill": "#ffffff", "outline": "#000000", "outlineWidth": 0.11, "size": 0.14,
      "case": "upper", "align": "center", "layout": "overlay"},
     "crop": null, "altText": "alt of \(top)",
     "image": {"url": "/i", "width": 20, "height": 10, "bytes": 5, "mediaType": "image/jpeg"}, "original": null,
     "thumbnails": {"table": {"url": "/t", "width": 192, "height": 96}, "grid": {"url": "/g", "width": 512, "height": 256}},
     "fit": [], "counts": {"likes": 0, "favorites": 0, "comments": 0, "shares": 0},
     "viewer": {"liked": false, "favorited": false, "canEdit": true, "canDelete": true}}
    """
  }

  static func made(_ meme: String) -> Reply { .send(ScriptedServer.answer("201 Created", meme)) }

  static func ok(_ meme: String) -> Reply { .send(ScriptedServer.answer("200 OK", meme)) }

  /// A response of which only the beginning arrives. If nothing arrives, the system may repeat the request by itself.
  static let lost = Reply.sendAndClose("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")

  static let done = Reply.send("HTTP/1.1 204 No Content\r\n\r\n")

  static func problem(_ status: Int, _ code: String, headers: [String] = []) -> Reply {
    .send(ScriptedServer.problem(status, code, headers: headers))
  }

  /// The rejection of a meme because the upload in a field no longer exists.
  static func unknownUpload(_ field: String = "upload") -> Reply {
    .send(
      ScriptedServer.answer(
        "422 Problem",
        """
        {"type":"/problems/invalid-input","title":"T","status":422,"detail":"D","instance":"12345678","code":"invalid-input",
         "errors":[{"field":"\(field)","code":"unknown-upload","message":"M"}]}
        """, type: "application/problem+json"))
  }

  /// The rejection of an edit of another version, with the current meme.
  static func conflict(_ current: String) -> Reply {
    .send(
      ScriptedServer.answer(
        "412 Problem",
        #"{"type":"/problems/precondition-failed","title":"T","status":412,"detail":"D","instance":"12345678","code":"precondition-failed","meme":\#(current)}"#,
        type: "application/problem+json"))
  }
}

extension ScriptedServer.Request {
  /// The method and the path, with `ID` for a meme's id.
  var call: String {
    let path = target.prefix { $0 != "?" }.split(separator: "/")
      .map { UUID(uuidString: String($0)) == nil ? String($0) : "ID" }
    return "\(method) /\(path.joined(separator: "/"))"
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The value of a form field.
  func field(_ name: String) -> String? {
    let parts = text.components(separatedBy: "name=\"\(name)\"\r\n\r\n")
    return parts.count == 2 ? parts[1].components(separatedBy: "\r\n").first : nil
  }
}

extension ScriptedServer {
  /// The requests that change something.
  var changes: [Request] { requests.filter { $0.method != "GET" } }

  var changingCalls: [String] { changes.map(\.call) }
}

/// Calls `body` with a folder for a library, and removes it at the end.
func withLibraryFolder(_ body: (URL) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "mememe-library-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: folder) }
  try await body(folder)
}

/// Calls `body` with a library of an account on a scripted server.
func withLibrary(
  _ body: (MemeLibrary, LibraryScript, ScriptedServer) async throws -> Void
) async throws {
  let script = LibraryScript()
  try await withScript({ script.reply(to: $0) }) { server in
    try await withLibraryFolder { folder in
      let library = try MemeLibrary(at: folder, client: server.client())
      do { try await body(library, script, server) } catch {
        await library.close()
        throw error
      }
      await library.close()
    }
  }
}

extension MemeLibrary {
  /// Syncs, and returns a short description of the error.
  func failureOfSync() async -> String {
    do { try await sync() } catch let error as MemeMeError {
      return error.problem?.code.rawValue ?? "\(error)"
    } catch { return "\(error)" }
    return "none"
  }

  func tops() async throws -> [String] { try await table().map(\.top) }

  /// The caption and state of each listed meme.
  func states() async throws -> [String] {
    try await table().map { item in
      let state =
        switch item.state {
        case .sent: "sent"
        case .waiting: "waiting"
        case .sending: "sending"
        case .failed(let refusal, _): "failed \(refusal.code)"
        case .draft: "draft"
        }
      return "\(item.top): \(state)"
    }
  }

  func reasons() async throws -> [LibraryDraft.Reason] { try await drafts().map(\.reason) }
}

let photo = Data("a photo".utf8)
