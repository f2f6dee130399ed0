import Foundation
import Testing

@testable import mememe

struct MachineMemoryTests {
  private func limit(_ group: String, _ files: [String: String]) throws -> Int? {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "groups-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ text: String, to path: String) throws {
      let file = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: false, encoding: .utf8)
    }
    try write(group, to: "proc/self/cgroup")
    for (path, text) in files { try write(text, to: "groups/" + path) }
    return MachineMemory(processes: folder.path + "/proc", groups: folder.path + "/groups").limit
  }

  @Test func `the lowest limit of the enclosing groups applies`() throws {
    let files = [
      "a.slice/memory.max": "3221225472\n", "a.slice/b.service/memory.max": "max\n",
      "other/memory.max": "1\n",
    ]
    #expect(try limit("0::/a.slice/b.service\n", files) == 3 << 30)
  }

  @Test func `in a container the root group's limit applies`() throws {
    #expect(try limit("0::/\n", ["memory.max": "536870912\n"]) == 512 << 20)
    #expect(try limit("0::/gone/elsewhere\n", ["memory.max": "536870912\n"]) == 512 << 20)
  }

  @Test func `the limit of version 1 groups is read`() throws {
    let group = "5:cpu:/x\n4:memory:/docker/x\n"
    #expect(try limit(group, ["memory/memory.limit_in_bytes": "1000000\n"]) == 1_000_000)
    let both = [
      "memory/memory.limit_in_bytes": "9223372036854771712\n",
      "memory/docker/x/memory.limit_in_bytes": "2000000\n",
    ]
    #expect(try limit(group, both) == 2_000_000)
  }

  @Test(arguments: ["", "nonsense", "0::/a\n", "::\n"])
  func `without a limit the result is nil`(group: String) throws {
    #expect(try limit(group, ["a/memory.max": "max\n", "memory.max": "-1\n"]) == nil)
  }

  @Test func `this machine has memory`() {
    #expect(MachineMemory().bytes > 64 << 20)
    #expect(MachineMemory(processes: "/nonexistent").limit == nil)
  }
}
