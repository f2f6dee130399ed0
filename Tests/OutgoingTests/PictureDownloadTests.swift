import Eventually
import HTTP
import Outgoing
import Testing
import Wire

struct PictureDownloadTests {
  private static func isFailure(_ download: PictureDownload) -> Bool {
    if case .failed = download { true } else { false }
  }

  @Test func `a download ends when its task is canceled, whether it runs or waits`() async throws {
    let host = try ScriptedServer { _ in .silence }
    defer { host.stop() }
    let downloads = PictureDownloads(
      Destinations(allowing: [try #require(AddressRange("127.0.0.0/8"))]), maximumBytes: 100,
      maximumTime: .seconds(3600))
    func download(_ number: Int) -> Task<PictureDownload, Never> {
      Task { await downloads.picture(at: "http://127.0.0.1:\(host.port)/\(number)") }
    }
    let running = (0..<8).map(download)
    try await eventually("eight downloads run") { host.requests.count == 8 }
    let waiting = download(8)
    waiting.cancel()
    #expect(Self.isFailure(await waiting.value))
    running[0].cancel()
    #expect(Self.isFailure(await running[0].value))
    // Its place is free.
    let next = download(9)
    try await eventually("the next one runs") { host.requests.count == 9 }
    #expect(host.requests.last?.target == "/9")
    for task in running + [next] { task.cancel() }
    for task in running + [next] { #expect(Self.isFailure(await task.value)) }
    // A task that was canceled before asks for nothing.
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await downloads.picture(at: "http://127.0.0.1:\(host.port)/late")
    }
    #expect(Self.isFailure(await late.value))
  }
}
