package import Bytes
import Foundation

/// A bucket of a store that speaks S3 (https://docs.aws.amazon.com/AmazonS3/latest/API).
///
/// A request that the store does not answer is sent again, up to three times within two seconds. All requests can be
/// repeated: the bytes of a key never change.
package struct S3Store: ObjectStore {
  private let bucket: S3Address
  private let account: S3Credentials
  private let transfers: S3Transfers
  private let attemptTime: Duration
  package let meter = S3Meter()

  /// - Parameters:
  ///   - authorities: a PEM file of certificate authorities to trust; `nil` for those of the machine.
  ///   - attemptTime: no attempt begins later than this after the first one.
  package init(
    _ bucket: S3Address, as account: S3Credentials, authorities: String? = nil,
    attemptTime: Duration = .seconds(2)
  ) {
    (self.bucket, self.account, self.attemptTime) = (bucket, account, attemptTime)
    transfers = S3Transfers(authorities: authorities)
  }

  package func put(_ bytes: Bytes, at key: ObjectKey) async throws(ObjectError) {
    _ = try await run(.put(bytes, at: key, in: bucket))
  }

  package func get(_ key: ObjectKey, upTo limit: Int) async throws(ObjectError) -> Bytes {
    try await run(.get(key, upTo: limit, in: bucket)).object(upTo: limit)
  }

  package func get(
    _ key: ObjectKey, _ range: Range<Int>, of count: Int
  ) async throws(ObjectError) -> Bytes {
    try await run(.get(key, range, in: bucket)).part(range, of: count)
  }

  package func blockingPut(_ bytes: Bytes, at key: ObjectKey) throws(ObjectError) {
    _ = try runBlocking(.put(bytes, at: key, in: bucket))
  }

  package func blockingGet(_ key: ObjectKey, upTo limit: Int) throws(ObjectError) -> Bytes {
    try runBlocking(.get(key, upTo: limit, in: bucket)).object(upTo: limit)
  }

  package func remove(_ key: ObjectKey) async throws(ObjectError) {
    do throws(ObjectError) { _ = try await run(.delete(key, in: bucket)) } catch .absent {}
  }

  package func copy(_ key: ObjectKey, to copy: ObjectKey) async throws(ObjectError) {
    let response = try await run(.copy(key, to: copy, in: bucket))
    // A copy that fails late has the status 200 and an error in its body.
    let document = try XMLElement(response.body)
    guard document.name == "CopyObjectResult" else {
      throw .unavailable("the copy failed: \(document["Code"] ?? document.name)")
    }
  }

  package func list(
    _ prefix: String, _ page: ObjectPage.Next?
  ) async throws(ObjectError) -> ObjectPage {
    let response = try await run(.list(prefix, page, in: bucket))
    return try ObjectPage(try XMLElement(response.body), in: bucket)
  }

  private func run(_ request: S3Request) async throws(ObjectError) -> S3Response {
    var attempts = Attempts(within: attemptTime)
    while true {
      let pause: Duration
      do throws(ObjectError) {
        let response = try await transfers.run(request, in: bucket, as: account).successful()
        meter.note(request.operation, since: attempts.latest)
        return response
      } catch {
        meter.note(request.operation, since: attempts.latest, error)
        pause = try attempts.pause(after: error)
      }
      // A canceled task does not pause, and its attempts are limited too.
      try? await Task.sleep(for: pause)
    }
  }

  private func runBlocking(_ request: S3Request) throws(ObjectError) -> S3Response {
    var attempts = Attempts(within: attemptTime)
    while true {
      do throws(ObjectError) {
        let response = try transfers.runBlocking(request, in: bucket, as: account).successful()
        meter.note(request.operation, since: attempts.latest)
        return response
      } catch {
        meter.note(request.operation, since: attempts.latest, error)
        Thread.sleep(forTimeInterval: try attempts.pause(after: error) / .seconds(1))
      }
    }
  }
}

/// The attempts of one call.
private struct Attempts {
  private static let maximum = 3

  private let time: Duration
  private let start = ContinuousClock.now
  private var count = 1
  /// When the latest attempt began, if it began after the pause.
  private(set) var latest = ContinuousClock.now

  init(within time: Duration) { self.time = time }

  /// The time to wait before the next attempt.
  ///
  /// - Throws: the error, if another attempt would not help.
  mutating func pause(after error: ObjectError) throws(ObjectError) -> Duration {
    guard case .unavailable = error, count < Self.maximum, .now - start < time else {
      throw error
    }
    let pause = Duration.milliseconds(Int.random(in: 50...150) * count)
    (count, latest) = (count + 1, .now + pause)
    return pause
  }
}

extension S3Response {
  /// - Throws: the error that the response reports.
  fileprivate func successful() throws(ObjectError) -> S3Response {
    guard (200...299).contains(status) else { throw ObjectError(self) }
    return self
  }

  fileprivate func object(upTo limit: Int) throws(ObjectError) -> Bytes {
    guard body.count <= limit else {
      throw .unreadable("the object has more than \(limit) bytes")
    }
    return body
  }

  /// The body, if it is this part of an object of this length (RFC 9110 §14.4). `Content-Range` decides and not the
  /// status, because rclone sends a part with 200. A store that ignores `Range` sends the whole, without that field.
  fileprivate func part(_ range: Range<Int>, of count: Int) throws(ObjectError) -> Bytes {
    let expected = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"
    guard contentRange == expected else {
      throw .unreadable("\(contentRange?.prefix(64) ?? "no range") instead of \(expected)")
    }
    guard body.count == range.count else {
      throw .unreadable("\(body.count) bytes instead of \(range.count)")
    }
    return body
  }
}

extension ObjectError {
  /// The error that a response reports
  /// (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html). Only the store itself can say that it has no
  /// such object: a 404 without a document is of a proxy.
  fileprivate init(_ response: S3Response) {
    let code = (try? XMLElement(response.body))?["Code"]
    let reason = ["status \(response.status)", code.map { String($0.prefix(64)) }]
      .compactMap(\.self).joined(separator: ", ")
    self =
      switch (response.status, code) {
      case (404, "NoSuchKey"): .absent
      case (404, nil), (408, _), (429, _), (500..., _), (_, "RequestTimeout"): .unavailable(reason)
      default: .rejected(reason)
      }
  }
}

extension ObjectPage {
  /// Decodes the answer to a list.
  init(_ document: XMLElement, in bucket: S3Address) throws(ObjectError) {
    guard document.name == "ListBucketResult" else {
      throw .unreadable("the response is a \(document.name.prefix(64))")
    }
    // Other programs may have put objects next to ours, with names that are no keys.
    keys = document.children.filter { $0.name == "Contents" }.compactMap { $0["Key"] }
      .filter { $0.hasPrefix(bucket.prefix) }
      .compactMap { ObjectKey(String($0.dropFirst(bucket.prefix.count))) }
    let token = document["NextContinuationToken"]
    switch (document["IsTruncated"], token) {
    case ("true", let token?) where !token.isEmpty: next = Next(token: token)
    case ("false", _), (nil, nil): next = nil
    default: throw .unreadable("a page of the list has no next page")
    }
  }
}
