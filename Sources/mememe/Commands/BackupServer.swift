import Curl
import Foundation

/// The calls about backups of a server on this machine.
struct BackupServer {
  private let server: LocalServer

  init(_ server: LocalServer) { self.server = server }

  enum Begun {
    /// This one is being made.
    case begun(String)
    /// Another one is being made, and none was begun.
    case another(String)
  }

  func begin() throws(BackupCommand.Failure) -> Begun {
    let answer = try send("POST", "/admin/backups")
    switch answer.status {
    case 202: return .begun(try read(answer, as: BackupSight.self).id)
    case 409:
      let list = try read(try send("GET", "/admin/backups"), as: List.self)
      // By now it may be over.
      guard let first = list.items.first else { throw refusal(answer) }
      return .another(first.id)
    default: throw refusal(answer)
    }
  }

  func backup(_ id: String) throws(BackupCommand.Failure) -> BackupSight {
    let answer = try send("GET", "/admin/backups/\(id)")
    guard answer.status == 200 else { throw refusal(answer) }
    return try read(answer, as: BackupSight.self)
  }

  private struct List: Decodable { let items: [BackupSight] }

  private struct Refusal: Decodable { let detail: String }

  private func send(
    _ method: String, _ target: String
  ) throws(BackupCommand.Failure) -> LocalServer.Answer {
    do throws(CurlError) { return try server.send(method, target) } catch {
      throw BackupCommand.Failure(
        description:
          "something uses the data folder, and no server answers at \(server.url): \(error.text). --host and --port, or their variables, say where it listens"
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
    let detail = (try? JSONDecoder().decode(Refusal.self, from: Data(answer.body)))?.detail
    return BackupCommand.Failure(
      description: "the server at \(server.url) answered \(answer.status). \(detail ?? "")")
  }
}
