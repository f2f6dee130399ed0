import Foundation
import MemeMeClient
import Support

extension TestServer {
  /// A client of this server with the given token.
  func client(_ token: String? = nil) -> MemeMeClient {
    MemeMeClient(
      URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/"), token: token.map(Token.init))
  }

  /// Registers an account and returns a client that is signed in.
  func client(of username: String) async throws -> MemeMeClient {
    client(try await signUp(username))
  }
}

extension Fixture {
  /// The picture as a client uploads it.
  var picture: Picture {
    get throws { .data(Data(try bytes)) }
  }
}
