import Foundation

extension Problem {
  private struct Document: Decodable {
    let title: String
    let detail: String
    let instance: String
    let code: Code
    let errors: [FieldError]?
  }

  /// The `current` member, decoded separately: if it is invalid, the other members can still be read.
  private struct Current: Decodable {
    let meme: Meme
  }

  /// - Returns: `nil` if the response is not a problem document and therefore comes from an intermediary.
  init?(_ answer: Answer) {
    let mediaType = answer.head["Content-Type"] ?? ""
    guard mediaType.hasPrefix("application/problem+json"),
      let document = try? JSONDecoder.mememe.decode(Document.self, from: answer.body)
    else { return nil }
    status = answer.head.status
    code = document.code
    title = document.title
    detail = document.detail
    requestID = document.instance
    fields = document.errors ?? []
    retryAfter = answer.head.retryAfter
    current = try? JSONDecoder.mememe.decode(Current.self, from: answer.body).meme
  }
}
