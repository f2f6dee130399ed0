import Bytes
import Foundation
import Memes
import SQL
import SQLite
import Storage
import Support
import Testing

struct UsageTests {
  @Test func `the first start chooses the limits, which are then kept`() async throws {
    try await withStore { scratch in
      let usage = UsageStore(scratch.database)
      let proposed = StorageLimits(account: 100, anonymous: 1000, templates: 3)
      let first = try await usage.standardLimits(proposing: proposed)
      #expect(first.limits == proposed && first.areNew)
      let larger = StorageLimits(account: 200, anonymous: 2000, templates: 4)
      let second = try await usage.standardLimits(proposing: larger)
      #expect(
        second.limits == StorageLimits(account: 100, anonymous: 1000, templates: 4)
          && !second.areNew)
    }
  }

  @Test func `a limit that is exceeded at the first start is removed`() async throws {
    try await withScratchFolder { path in
      try await EarlierVersion(25).make(in: URL(filePath: path))
      let folder = try DataFolder(path: path)
      let database = try MemeDatabase.open(in: folder, migrations: migrations, synchronous: .off)
      let usage = UsageStore(database)
      let total = try await usage.usage(largest: 1)
      let most = try #require(total.largest.first?.bytes)
      #expect(most > 0 && total.anonymousBytes > 0 && total.accountBytes >= most)
      let limits = try await usage.standardLimits(
        proposing: StorageLimits(account: most - 1, anonymous: total.anonymousBytes)
      ).limits
      #expect(limits == StorageLimits(account: nil, anonymous: total.anonymousBytes))
      await database.close()
    }
  }

  @Test func `an account has a limited number of templates`() async throws {
    try await withStore { scratch in
      let templates = TemplateStore(scratch.database, limits: StorageLimits(templates: 2))
      let ada = try await scratch.person("ada").id
      func keep(_ viewer: Principal) async throws {
        let file = PictureFile(
          facts: PictureFacts(
            size: PixelSize(width: 1, height: 1), format: .png, byteCount: 3,
            digest: try digest(1)), bytes: Bytes("abc"))
        let template = Template(
          id: TemplateID(UUID()), TemplateFields(name: TemplateName(stored: "x")),
          createdAt: Timestamp(millisecondsSince1970: 0), picture: file.facts,
          thumbnail: file.facts)
        _ = try await templates.insert(
          template, TemplateFiles(picture: file, thumbnail: file), by: viewer, recording: nil)
      }
      try await keep(.person(ada))
      try await keep(.person(ada))
      let error = await #expect(throws: MemeError.self) { try await keep(.person(ada)) }
      guard case .quotaExceeded(let quota) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(quota == Quota(.templates, limit: 2, used: 2))
      // Admins store the templates of the server.
      try await keep(.administrator(ada))
      try await keep(.anonymous)
    }
  }
}
