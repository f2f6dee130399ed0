import Foundation
import MemeMeClient
import Support

extension TestServer {
  /// A client of this server, for whoever has the token.
  func client(_ token: String? = nil) -> MemeMeClient {
    MemeMeClient(
      URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/"), token: token.map(Token.init))
  }

  /// A client of somebody who has just registered.
  func client(of username: String) async throws -> MemeMeClient {
    client(try await signUp(username))
  }
}

extension Fixture {
  /// The picture as a client sends it.
  var picture: Picture {
    get throws { .data(Data(try bytes)) }
  }
}
