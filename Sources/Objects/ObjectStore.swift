package import Bytes

/// Stores immutable bytes under keys. Calls may run concurrently, from any task.
///
/// Every call can be repeated: it has the same effect as one call.
package protocol ObjectStore: Sendable {
  /// Stores an object. On return, it is as durable as the store promises.
  func put(_ bytes: Bytes, at key: ObjectKey) async throws(ObjectError)

  /// Does the same on the calling thread, which blocks until then.
  func blockingPut(_ bytes: Bytes, at key: ObjectKey) throws(ObjectError)

  /// - Parameter limit: the maximum length in bytes. A longer object is an error.
  /// - Throws: also ``ObjectError/absent``.
  func get(_ key: ObjectKey, upTo limit: Int) async throws(ObjectError) -> Bytes

  /// Gets a part of an object.
  ///
  /// - Parameters:
  ///   - range: within the object, counted from 0, and not empty.
  ///   - count: the length of the whole object in bytes. An object of another length is an error.
  /// - Throws: also ``ObjectError/absent``.
  func get(
    _ key: ObjectKey, _ range: Range<Int>, of count: Int
  ) async throws(ObjectError) -> Bytes

  /// Gets an object on the calling thread, which blocks until then. See ``get(_:upTo:)``.
  func blockingGet(_ key: ObjectKey, upTo limit: Int) throws(ObjectError) -> Bytes

  /// Removes an object, if there is one.
  func remove(_ key: ObjectKey) async throws(ObjectError)

  /// Copies an object within the store.
  ///
  /// - Throws: also ``ObjectError/absent``.
  func copy(_ key: ObjectKey, to copy: ObjectKey) async throws(ObjectError)

  /// A page of the keys that begin with `prefix`, in ascending order.
  ///
  /// - Parameter page: from the page before; `nil` for the first one.
  func list(_ prefix: String, _ page: ObjectPage.Next?) async throws(ObjectError) -> ObjectPage
}

/// The name of an object. It needs no escapes in URLs and XML.
package struct ObjectKey: Hashable, Sendable {
  /// Words of lowercase letters and digits, separated by slashes.
  package let text: String

  /// - Returns: `nil` if the text is no key.
  package init?(_ text: String) {
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    guard text.utf8.count <= 200, words.allSatisfy(Self.isWord) else { return nil }
    self.text = text
  }

  /// A key that no object has.
  ///
  /// - Parameter folder: the beginning of the key: words, as above. It is not checked.
  package static func new(in folder: String) -> ObjectKey {
    let digits = (0..<4).map { _ in
      String(UInt64.random(in: (1 << 32)..<(1 << 33)), radix: 16).dropFirst()
    }
    return ObjectKey(valid: "\(folder)/\(digits.joined())")
  }

  private init(valid text: String) { self.text = text }

  private static func isWord(_ word: Substring) -> Bool {
    !word.isEmpty
      && word.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
      }
  }
}

/// A page of keys.
package struct ObjectPage: Sendable, Equatable {
  /// Where the next page begins. Only the store understands it.
  package struct Next: Sendable, Equatable {
    package let token: String

    package init(token: String) { self.token = token }
  }

  package let keys: [ObjectKey]
  /// `nil` after the last page.
  package let next: Next?

  package init(keys: [ObjectKey], next: Next?) { (self.keys, self.next) = (keys, next) }
}

/// Why a call had no result. The texts are for the log: they contain neither the keys of the account nor addresses.
package enum ObjectError: Error, Equatable, Sendable {
  /// There is no such object.
  case absent
  /// The store did not answer, or cannot work at the moment. The call may succeed later.
  case unavailable(String)
  /// The store refuses the call, such as for a wrong account. It will not succeed later.
  case rejected(String)
  /// The response is not what the protocol requires, or is longer than allowed.
  case unreadable(String)
}

extension ObjectError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .absent: "the object store has no such object"
    case .unavailable(let reason): "the object store does not answer: \(reason)"
    case .rejected(let reason): "the object store refused the request: \(reason)"
    case .unreadable(let reason): "the object store's response is unreadable: \(reason)"
    }
  }
}
