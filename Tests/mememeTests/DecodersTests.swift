#if os(Linux)
  import Foundation
  import Support
  import Testing
  import Wire

  /// The picture formats that a server reads by default.
  struct DecodersTests {
    @Test(arguments: [
      ([:], 201, "jpeg,png,gif,webp,avif,heic"),
      (["MEMEME_CONFINE": "off"], 415, "jpeg,png,gif,webp"),
      (["MEMEME_CONFINE": "off", "MEMEME_DECODERS": "avif"], 201, "avif"),
      (["MEMEME_DECODERS": "png,jpeg"], 415, "jpeg,png"),
    ])
    func `AVIF and HEIC are read if decoders are confined or a setting says so`(
      settings: [String: String], status: Int, kinds: String
    ) async throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "mememe-decoders-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let token = "a-token-for-the-admin"
      let server = try await ServerProcess(
        data: folder, settings: settings.merging(["MEMEME_ADMIN_TOKEN": token]) { $1 })
      try await server.post(FormBody([.file("image", try Fixture.avif.bytes)])).expect(status)
      let figures = try await server.get("/admin/stats", token: token).expect(200).json
      #expect(figures.renders.confinement.calls.flag == (settings["MEMEME_CONFINE"] == nil))
      #expect(server.log.contains("supported picture formats kinds=\(kinds)\n"))
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }
#endif
