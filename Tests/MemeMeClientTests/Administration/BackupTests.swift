import Eventually
import Foundation
import MemeMeClient
import Support
import Synchronization
import Testing
import Wire

struct BackupTests {
  @Test func `backups are created, listed, downloaded and deleted`() async throws {
    try await withLiveServer { server in
      let admin = server.client(server.adminToken)
      _ = try await admin.publish(MemeDraft(.image(try Fixture.photo.picture), top: "x"))
      #expect(try await admin.backups().items == [])
      var backup = try await admin.createBackup()
      try await eventually("the backup is over") {
        backup = try await admin.backup(backup.id)
        return ![.copying, .verifying].contains(backup.state)
      }
      #expect((backup.state, backup.memes, backup.problem) == (.complete, 1, nil))
      let list = try await admin.backups()
      #expect(list.items == [backup] && list.keepDays == 7 && list.intervalSeconds == 0)

      try await withDataFolder { folder in
        let file = folder.appending(path: "mine.db")
        let told = Mutex<[DownloadProgress]>([])
        try await admin.downloadBackup(backup.id, to: file) { progress in
          told.withLock { $0.append(progress) }
        }
        let whole = try Data(
          contentsOf: server.folder.appending(path: "backups/\(backup.fileName)"))
        #expect(try Data(contentsOf: file) == whole)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["mine.db"])
        let progress = told.withLock { $0 }
        #expect(progress.last?.fraction == 1 && progress.last?.receivedBytes == backup.byteCount)
        #expect(
          zip(progress, progress.dropFirst()).allSatisfy { $0.receivedBytes < $1.receivedBytes })
      }
      try await admin.deleteBackup(backup.id)
      #expect(await failure { _ = try await admin.backup(backup.id) } == "not-found")
    }
  }

  @Test func `an interrupted download resumes`() async throws {
    let whole = String(repeating: "0123456789", count: 1000)
    try await withScript({ request in
      let head =
        "Content-Type: application/vnd.sqlite3\r\nETag: \"one\"\r\nAccept-Ranges: bytes\r\n"
      guard let range = request.headers["range"] else {
        return .sendAndClose(
          "HTTP/1.1 200 OK\r\n\(head)Content-Length: 10000\r\n\r\n\(whole.prefix(6000))")
      }
      let start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
      return .sendAndClose(
        """
        HTTP/1.1 206 Partial Content\r\n\(head)Content-Range: bytes \(start)-9999/10000\r
        Content-Length: \(10_000 - start)\r\n\r\n\(whole.dropFirst(start))
        """)
    }) { server in
      try await withDataFolder { folder in
        let file = folder.appending(path: "mine.db")
        let told = Mutex<[DownloadProgress]>([])
        try await server.client(retries: RetryPolicy()).downloadBackup(Backup.ID(), to: file) {
          progress in
          told.withLock { $0.append(progress) }
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == whole)
        #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=6000-"])
        #expect(server.requests.last?.headers["if-range"] == "\"one\"")
        #expect(told.withLock { $0.allSatisfy { $0.totalBytes == 10_000 } })
        #expect(told.withLock { $0.last?.receivedBytes } == 10_000)
      }
    }
  }

  @Test func `a download restarts if the file has changed`() async throws {
    try await withScript({ request in
      let tag = request.number == 0 ? "one" : "two"
      let head =
        "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.sqlite3\r\nETag: \"\(tag)\"\r\nAccept-Ranges: bytes\r\n"
      return request.number == 0
        ? .sendAndClose("\(head)Content-Length: 100\r\n\r\nold old old")
        : .sendAndClose("\(head)Content-Length: 3\r\n\r\nnew")
    }) { server in
      try await withDataFolder { folder in
        let file = folder.appending(path: "mine.db")
        try await server.client(retries: RetryPolicy()).downloadBackup(Backup.ID(), to: file)
        #expect(try String(contentsOf: file, encoding: .utf8) == "new")
      }
    }
  }
}
