import API
import HTTP
import Memes
import Support

/// No delete tokens, and `admin` as the admin token.
struct NoTokens: TokenKeeper {
  func deleteToken(for thing: ResourceRef) -> String { "" }
  func isDeleteToken(_ token: String, for thing: ResourceRef) -> Bool { false }
  func isAdminToken(_ token: String) -> Bool { token == "admin" }
}

struct NoLog: AppLog {
  let takesAccess = false
  func access(_ record: AccessRecord) {}
  func failure(_ cause: String, id: RequestID) {}
}

extension App {
  /// The response to a request without a body.
  func answer(_ head: RequestHead) async throws -> Response {
    switch await admit(head).decided().verdict {
    case .answer(let known), .refuse(let known): known
    case .read(_, let handler): await handler(Request(head: head, body: .none))
    case .wait: throw Problem(.internalError)
    }
  }
}
