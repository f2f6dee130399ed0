import Curl
import Foundation

/// A client for the backup endpoints of a server on this machine.
struct BackupServer {
  private let server: LocalServer
  /// The file or the setting that has the admin token.
  private let tokenSource: String

  init(_ server: LocalServer, tokenSource: String) {
    (self.server, self.tokenSource) = (server, tokenSource)
  }

  enum Begun {
    /// The server began this backup.
    case begun(String)
    /// The server is already making this other backup, and did not begin one.
    case another(String)
  }

  func begin() throws(BackupCommand.Failure) -> Begun {
    let answer = try send("POST", "/admin/backups")
    switch answer.status {
    case 202: return .begun(try read(answer, as: BackupStatus.self).id)
    case 409:
      let list = try read(try send("GET", "/admin/backups"), as: List.self)
      // The other backup may have finished since then.
      guard let first = list.items.first else { throw refusal(answer) }
      return .another(first.id)
    default: throw refusal(answer)
    }
  }

  func backup(_ id: String) throws(BackupCommand.Failure) -> BackupStatus {
    let answer = try send("GET", "/admin/backups/\(id)")
    guard answer.status == 200 else { throw refusal(answer) }
    return try read(answer, as: BackupStatus.self)
  }

  private struct List: Decodable { let items: [BackupStatus] }

  private struct Refusal: Decodable {
    let detail: String
    let instance: String
  }

  private func send(
    _ method: String, _ target: String
  ) throws(BackupCommand.Failure) -> LocalServer.Answer {
    do throws(CurlError) { return try server.send(method, target) } catch {
      throw BackupCommand.Failure(
        description:
          "the data folder is in use, but no server responds at \(server.url): \(error.text). Set --host and --port to the server's address."
      )
    }
  }

  private func read<Value: Decodable>(
    _ answer: LocalServer.Answer, as type: Value.Type
  ) throws(BackupCommand.Failure) -> Value {
    do { return try JSONDecoder().decode(type, from: Data(answer.body)) } catch {
      throw refusal(answer)
    }
  }

  private func refusal(_ answer: LocalServer.Answer) -> BackupCommand.Failure {
    guard answer.status != 401 else {
      return BackupCommand.Failure(
        description:
          "the admin token of \(tokenSource) is not that of the server at \(server.url). Set MEMEME_ADMIN_TOKEN to the server's token."
      )
    }
    var description = "the server at \(server.url) returned status \(answer.status)."
    if let problem = try? JSONDecoder().decode(Refusal.self, from: Data(answer.body)) {
      description += " \(problem.detail) The request ID is \(problem.instance)."
    }
    return BackupCommand.Failure(description: description)
  }
}
