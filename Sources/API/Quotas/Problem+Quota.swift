import Bytes
import HTTP
import Memes

extension Problem {
  /// A 507 response that contains the quota and its remainder.
  init(_ quota: Quota) {
    let wait = quota.wait.flatMap(retryAfter)
    self.init(.quotaExceeded, quota.kind.refusal, headers: Headers([wait].compactMap { $0 }))
    var json = JSONWriter()
    json.object { json in
      json.member("of", quota.kind.rawValue)
      QuotaJSON.write(limit: quota.limit, used: quota.used, to: &json)
    }
    member = json.finish().utf8Text.map { Member("quota", json: $0) }
  }
}

/// Writes quotas as JSON.
enum QuotaJSON {
  /// Writes the members of an object. Without a limit, `limit` and `left` are `null`.
  static func write(limit: Int?, used: Int, to json: inout JSONWriter) {
    json.member("used", used)
    json.member("limit", limit)
    json.member("left", limit.map { max(0, $0 - used) })
  }
}

extension Quota.Kind {
  fileprivate var refusal: String? {
    switch self {
    // The general text of this problem is sufficient.
    case .account: nil
    case .network:
      "Your network reached its daily storage limit without an account. Nothing was stored. Sign in, or try again after the time in Retry-After."
    case .anonymous:
      "The server's storage for memes without an account is full. Nothing was stored. Sign in, or contact the operator."
    case .templates:
      "You reached the limit for templates. Nothing was stored. Delete a template first."
    }
  }
}
