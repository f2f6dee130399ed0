import HTTP
package import Memes
package import Storage

/// How much users have stored, and how much they may store.
package struct UsageRoutes: Sendable {
  /// The number of accounts in the admins' list of the largest ones.
  private static let largest = 20

  private let store: UsageStore
  private let limits: StorageLimits
  private let throttle: Throttle

  package init(store: UsageStore, limits: StorageLimits, throttle: Throttle) {
    (self.store, self.limits, self.throttle) = (store, limits, throttle)
  }

  package var routes: [Route] {
    [
      Route(.get, "/users/me/usage", access: .person, takesTokens: true, own),
      Route(.get, "/admin/usage", access: .admin, takesTokens: true, all),
    ]
  }

  private func own(_ call: Call) async throws -> Response {
    guard let person = call.viewer.person else { throw Problem(.unauthorized) }
    let usage = try await store.usage(of: person)
    let drawing = throttle.look(.render, for: .person(person))
    return .uncached { json in
      json.object { json in
        json.object("bytes") {
          QuotaJSON.write(
            limit: usage.quotaBytes ?? limits.account, used: usage.bytes, to: &$0)
        }
        json.object("templates") {
          let limit = call.viewer.isAdmin ? nil : limits.templates
          QuotaJSON.write(limit: limit, used: usage.templates, to: &$0)
        }
        json.object("megapixels") {
          QuotaJSON.write(
            limit: drawing?.burst, used: drawing.map { $0.burst - $0.remaining } ?? 0, to: &$0)
        }
      }
    }
  }

  private func all(_ call: Call) async throws -> Response {
    let usage = try await store.usage(largest: Self.largest)
    return .uncached { json in
      json.object { json in
        json.object("anonymous") {
          QuotaJSON.write(limit: limits.anonymous, used: usage.anonymousBytes, to: &$0)
        }
        json.object("accounts") { json in
          json.member("used", usage.accountBytes)
          json.member("limitOfEach", limits.account)
          json.array("largest") { json in
            for account in usage.largest {
              json.object { json in
                json.member("username", account.username)
                json.member("used", account.bytes)
              }
            }
          }
        }
      }
    }
  }
}
