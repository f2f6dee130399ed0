import Curl
import Foundation
import Synchronization

/// Runs requests to a store. Safe to use from any thread.
final class S3Transfers: Sendable {
  static let limits = CurlTransfers.Limits(
    // If the store hangs, the client gets an answer soon.
    running: 32, waiting: 256, waitingTime: .seconds(2))

  private let transfers = CurlTransfers(limits)
  private let authorities: String?

  /// - Parameter authorities: a PEM file of certificate authorities to trust; `nil` for those of the machine.
  init(authorities: String?) { self.authorities = authorities }

  func run(
    _ request: S3Request, in bucket: S3Address, as account: S3Credentials
  ) async throws(ObjectError) -> S3Response {
    let result = await withCheckedContinuation { continuation in
      add(request, in: bucket, as: account) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  func runBlocking(
    _ request: S3Request, in bucket: S3Address, as account: S3Credentials
  ) throws(ObjectError) -> S3Response {
    let (isOver, result) = (DispatchSemaphore(value: 0), Outcome())
    add(request, in: bucket, as: account) { outcome in
      result.value.withLock { $0 = outcome }
      isOver.signal()
    }
    isOver.wait()
    return try result.value.withLock(\.self).get()
  }

  private final class Outcome: Sendable {
    let value = Mutex<Result<S3Response, ObjectError>>(.failure(.unavailable("no outcome")))
  }

  private func add(
    _ request: S3Request, in bucket: S3Address, as account: S3Credentials,
    _ completion: @escaping S3Transfer.Completion
  ) {
    transfers.add { [authorities] () throws(CurlError) in
      try S3Transfer(request, in: bucket, as: account, authorities: authorities, completion)
    } orElse: { refusal in
      let error: ObjectError =
        if case .failed(let error) = refusal { ObjectError(error) } else {
          .unavailable(refusal.text)
        }
      completion(.failure(error))
    }
  }
}
