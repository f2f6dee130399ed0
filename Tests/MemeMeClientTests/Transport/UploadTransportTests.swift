import Eventually
import Foundation
import MemeMeClient
import Support
import Synchronization
import Testing
import Wire

/// Sending large bodies.
struct UploadTransportTests {
  private static let drawn = ScriptedServer.answer("200 OK", "picture", type: "image/jpeg")

  @Test(arguments: [0, 1, 65_535, 65_536, 300_000, 6_000_000])
  func `a form arrives intact, and progress ends at its total`(
    bytes: Int
  ) async throws {
    try await withScript({ _ in .send(Self.drawn) }) { server in
      let picture = noise(bytes)
      let steps = Mutex<[UploadProgress]>([])
      _ = try await server.client().preview(
        MemeDraft(.image(.data(picture)), top: "so it begins")
      ) { progress in steps.withLock { $0.append(progress) } }
      let request = try #require(server.requests.first)
      #expect(request.headers["content-length"] == "\(request.body.count)")
      #expect(request.headers["transfer-encoding"] == nil && request.headers["expect"] == nil)
      #expect(Data(request.body).range(of: picture) != nil || bytes == 0)
      let told = steps.withLock { $0 }
      #expect(told.last?.sentBytes == Int64(request.body.count))
      #expect(told.allSatisfy { $0.totalBytes == Int64(request.body.count) })
      #expect(told.map(\.sentBytes) == told.map(\.sentBytes).sorted())
      if bytes > 1_000_000 { #expect(told.count > 10) }
    }
  }

  @Test func `an interrupted body is sent again from the start with the same key`() async throws {
    try await withScript(cuts: { $0 < 2 ? 700_000 : nil }, { _ in .send(Self.drawn) }) { server in
      let retries = RetryPolicy(attempts: 3, firstPause: .milliseconds(10))
      let picture = noise(2_000_000)
      _ = try await server.client(retries: retries).preview(MemeDraft(.image(.data(picture))))
      #expect(server.requests.count == 3)
      let last = try #require(server.requests.last)
      #expect(Data(last.body).range(of: picture) != nil)
    }
  }

  @Test func `a connection that breaks at the start of a body loses no part of it`() async throws {
    try await withScript({ _ in .send(Self.drawn) }) { server in
      let retries = RetryPolicy(attempts: 4, firstPause: .milliseconds(10))
      let client = server.client(retries: retries)
      for _ in 0..<10 {
        let picture = noise(400_000)
        let before = server.requests.count
        let sending = Task { try await client.preview(MemeDraft(.image(.data(picture)))) }
        try await Task.sleep(for: .microseconds(Int.random(in: 0..<4000)))
        server.endConnections()
        _ = try await sending.value
        let whole = server.requests[before...].filter { Data($0.body).range(of: picture) != nil }
        #expect(!whole.isEmpty)
      }
    }
  }

  @Test
  func `the transport buffers little, so that a slow network is not a timeout`() async throws {
    let slow = try SlowServer(bytesPerSecond: 1_500_000, answer: Self.drawn)
    defer { slow.stop() }
    let most = Mutex(0)
    _ = try await slow.client.preview(MemeDraft(.image(.data(noise(6_000_000))))) { progress in
      let ahead = Int(progress.sentBytes) - slow.receivedBytes
      most.withLock { $0 = max($0, ahead) }
    }
    #expect(most.withLock { $0 } < 1_000_000)
  }

  @Test func `a missing file is an error before anything is sent`() async throws {
    try await withScript({ _ in .send(Self.drawn) }) { server in
      let draft = MemeDraft(.image(.file(URL(filePath: "/nowhere/photo.jpg"))))
      await #expect(throws: MemeMeError.self) { try await server.client().preview(draft) }
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `no file with the request body is left`() async throws {
    try await withScript({ _ in .send(Self.drawn) }) { server in
      let folder = FileManager.default.temporaryDirectory
      let mark = UUID().uuidString
      _ = try await server.client().preview(MemeDraft(.image(.data(Data(mark.utf8)))))
      // URLSession may refer to the file for a moment after the response.
      try await eventually("the file is removed") {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
          .filter { $0.hasPrefix("mememe-request-") }
          .allSatisfy { name in
            let file = try? Data(contentsOf: folder.appending(path: name))
            return file?.range(of: Data(mark.utf8)) == nil
          }
      }
    }
  }
}
