import Bytes
import Foundation
import Support
import Testing

@testable import Objects

/// The client with `rclone serve s3`, which checks signatures.
@Suite(.enabled(if: RcloneServer.isWanted))
struct S3StoreTests {
  private func withStore(_ body: (S3Store, _ folder: URL) async throws -> Void) async throws {
    let server = try RcloneServer.shared()
    let (bucket, folder) = try server.makeBucket()
    let store = S3Store(try S3Address(server.address(of: bucket)), as: RcloneServer.account)
    try await body(store, folder.appending(path: "some/Prefix_1"))
  }

  private func key(_ text: String) throws -> ObjectKey { try #require(ObjectKey(text)) }

  @Test(arguments: [0, 1, 300_000, 5_000_000])
  func `an object is what was put`(_ count: Int) async throws {
    try await withStore { store, folder in
      let bytes = Bytes((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      let key = try key("20261125/\(count)")
      try await store.put(bytes, at: key)
      #expect(try await store.get(key, upTo: count) == bytes)
      #expect(try await blocking { try store.blockingGet(key, upTo: count) } == bytes)
      let file = folder.appending(path: key.text)
      #expect(try Data(contentsOf: file) == bytes.withUnsafeBytes { Data($0) })
      // The same bytes may be put again.
      try await store.put(bytes, at: key)
      #expect(try await store.get(key, upTo: count) == bytes)
    }
  }

  @Test func `a part of an object is exactly those bytes`() async throws {
    try await withStore { store, _ in
      let bytes = Bytes((0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) })
      let key = try key("20261125/1")
      try await store.put(bytes, at: key)
      for range in [0..<1, 100..<300_000, 499_999..<500_000, 0..<500_000] {
        #expect(try await store.get(key, range, of: 500_000) == bytes.slice(range))
      }
      // An object of another length.
      for count in [499_999, 500_001] {
        await #expect(
          throws: ObjectError.unreadable("bytes 0-9/500000 instead of bytes 0-9/\(count)")
        ) { try await store.get(key, 0..<10, of: count) }
      }
      let other = try self.key("20261125/2")
      await #expect(throws: ObjectError.absent) { try await store.get(other, 0..<10, of: 20) }
    }
  }

  @Test func `an object that is not there is absent`() async throws {
    try await withStore { store, _ in
      let (key, other) = (try key("20261125/1"), try key("20261125/2"))
      await #expect(throws: ObjectError.absent) { try await store.get(key, upTo: 10) }
      await #expect(throws: ObjectError.absent) { try await store.copy(key, to: other) }
      try await store.remove(key)
      try await store.put(Bytes([1]), at: key)
      try await store.remove(key)
      await #expect(throws: ObjectError.absent) { try await store.get(key, upTo: 10) }
    }
  }

  @Test func `a longer object than allowed is an error`() async throws {
    try await withStore { store, _ in
      let key = try key("20261125/1")
      try await store.put(Bytes([1, 2, 3]), at: key)
      await #expect(throws: ObjectError.unreadable("the object has more than 2 bytes")) {
        try await store.get(key, upTo: 2)
      }
    }
  }

  @Test func `a wrong secret is rejected`() async throws {
    let server = try RcloneServer.shared()
    let address = try S3Address(server.address(of: try server.makeBucket().name))
    for account in [
      S3Credentials(accessKey: "tester", secret: "wrong"),
      S3Credentials(accessKey: "other", secret: "a/secret+of=tests"),
    ] {
      let (store, key) = (S3Store(address, as: account), try key("20261125/1"))
      let bytes = Bytes([1])
      let calls: [() async throws -> Void] = [
        { try await store.put(bytes, at: key) },
        { _ = try await store.get(key, upTo: 1) },
        { _ = try await store.get(key, 0..<1, of: 2) },
        { _ = try await store.list("", nil) },
        { try await store.copy(key, to: key) },
        { try await store.remove(key) },
      ]
      for call in calls {
        let error = await #expect(throws: ObjectError.self) { try await call() }
        guard case .rejected(let reason) = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(reason.contains("403"))
      }
    }
  }

  @Test func `an unknown bucket is no absent object`() async throws {
    let address = try S3Address(try RcloneServer.shared().address(of: "no-such-bucket"))
    let (store, key) = (S3Store(address, as: RcloneServer.account), try key("20261125/1"))
    let error = await #expect(throws: ObjectError.self) { try await store.get(key, upTo: 1) }
    guard case .rejected = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a copy is made within the store`() async throws {
    try await withStore { store, _ in
      let (key, other) = (try key("20261125/1"), try key("20261126/2"))
      let bytes = Bytes([UInt8](repeating: 7, count: 100_000))
      try await store.put(bytes, at: key)
      try await store.copy(key, to: other)
      try await store.remove(key)
      #expect(try await store.get(other, upTo: bytes.count) == bytes)
    }
  }

  @Test func `a list has all keys, page by page`() async throws {
    try await withStore { store, folder in
      let day = folder.appending(path: "20261125")
      try FileManager.default.createDirectory(at: day, withIntermediateDirectories: true)
      let names = (0..<2005).map { "0\(10_000 + $0)" }
      for name in names { try Data().write(to: day.appending(path: name)) }
      try Data().write(to: day.appending(path: "not a <key> & co.txt"))
      let other = folder.appending(path: "20261126")
      try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
      try Data().write(to: other.appending(path: "1"))
      var keys: [String] = []
      var page = try await store.list("20261125/", nil)
      var count = 1
      keys += page.keys.map(\.text)
      while let next = page.next {
        page = try await store.list("20261125/", next)
        keys += page.keys.map(\.text)
        count += 1
      }
      #expect(keys == names.map { "20261125/\($0)" })
      #expect(count == 3)
      #expect(try await store.list("20261126/", nil).keys.map(\.text) == ["20261126/1"])
      #expect(try await store.list("20261127/", nil) == ObjectPage(keys: [], next: nil))
    }
  }

  @Test func `many calls run side by side`() async throws {
    try await withStore { store, _ in
      // rclone fails if it has to make one folder for several objects at once.
      try await store.put(Bytes(), at: key("20261125/first"))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<100 {
          group.addTask {
            let key = try #require(ObjectKey("20261125/\(number)"))
            let bytes = Bytes([UInt8](repeating: UInt8(number), count: 10_000))
            try await store.put(bytes, at: key)
            #expect(try await store.get(key, upTo: bytes.count) == bytes)
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
