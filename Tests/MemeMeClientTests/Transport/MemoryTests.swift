import Foundation
import Testing
import Wire

@testable import MemeMeClient

struct MemoryTests {
  /// The peak memory of the process, in bytes.
  private static func peakBytes() throws -> Int {
    #if canImport(Glibc)
      // Not getrusage, because a process inherits the peak of the process that started it.
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/))
      return try #require(Int(line.1)) * 1024
    #else
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #endif
  }

  // Runs in a separate process, because other tests use memory in this one.
  @Test func `large uploads and downloads are not held in memory`() async {
    await #expect(processExitsWith: .success) {
      let archive = String(repeating: "x", count: 1 << 20)
      try await withScript(
        discardsBodies: true,
        { request in
          guard request.method == "POST", request.target == "/users/me/export" else {
            return .send(ScriptedServer.answer("200 OK", "picture", type: "image/jpeg"))
          }
          return .sendOften(
            "HTTP/1.1 200 OK\r\nContent-Length: \(400 << 20)\r\n\r\n", archive, times: 400)
        }
      ) { server in
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "photo")
        try Data().write(to: file)
        try FileHandle(forWritingTo: file).truncate(atOffset: 400 << 20)
        let before = try MemoryTests.peakBytes()
        _ = try await server.client().preview(MemeDraft(.image(.file(file))))
        let afterUpload = try MemoryTests.peakBytes()
        try await server.client().exportAccount(to: file)
        let afterDownload = try MemoryTests.peakBytes()
        #expect(afterUpload - before < 64 << 20)
        #expect(afterDownload - before < 64 << 20)
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        #expect(size == 400 << 20)
      }
    }
  }
  @Test func `unread events of a stream are not held in memory`() async {
    await #expect(processExitsWith: .success) {
      let event = ": \(String(repeating: "x", count: 1 << 20))\n"
      try await withScript({ _ in
        .sendOften(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
            + "id: c1\ndata: {\"type\":\"merge\"}\n\n", event, times: 400)
      }) { server in
        var events = server.client().events().makeAsyncIterator()
        let before = try MemoryTests.peakBytes()
        #expect(try await events.next()?.cursor.text == "c1")
        try await Task.sleep(for: .seconds(2))
        let after = try MemoryTests.peakBytes()
        #expect(after - before < 16 << 20)
      }
    }
  }
}
