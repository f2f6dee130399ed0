import Foundation

extension Problem {
  private struct Document: Decodable {
    let title: String
    let detail: String
    let instance: String
    let code: Code
    let errors: [FieldError]?
  }

  /// A member beside the others, read by itself: that it cannot be read makes nothing else unreadable.
  private struct Current: Decodable {
    let meme: Meme
  }

  /// - Returns: `nil` where the answer has no problem document: something between client and server wrote it.
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
