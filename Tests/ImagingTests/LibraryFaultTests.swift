#if os(Linux)
  import Bytes
  import Foundation
  import Testing

  @testable import Imaging

  /// Checks that the definitions of `CLibraryFaults` take precedence over those of the libraries. The race itself
  /// cannot be reproduced on demand.
  struct LibraryFaultTests {
    /// The versions with the faults. Other versions may end their idle threads.
    private static let isAffected = ["8.14.", "8.15."].contains { Vips.version.hasPrefix($0) }
    /// Set by `script/test --long`.
    private static let isLong = ProcessInfo.processInfo.environment["TEST_LONG"] != nil

    /// The ids of the libvips threads in this process.
    private static func threads() throws -> Set<String> {
      let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
      return Set(
        all.filter { number in
          // The kernel keeps 15 characters of a name. A thread may have ended by now.
          let name = try? String(contentsOfFile: "/proc/self/task/\(number)/comm", encoding: .utf8)
          return name?.hasPrefix("libvips worker") ?? false
        })
    }

    /// Saves several pictures at once, because other tests may occupy some threads.
    private static func savePictures() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            let picture = PixelBuffer()
            try picture.clear(width: 1000, height: 1000)
            _ = try PictureEncoder.png(picture)
          }
        }
        try await group.waitForAll()
      }
    }

    @Test(.enabled(if: isAffected && isLong))
    func `an idle libvips thread does not end, so none ends when it gets work`() async throws {
      try await Self.savePictures()
      let threads = try Self.threads()
      #expect(!threads.isEmpty)
      // libvips would end them after 15 seconds.
      try await Task.sleep(for: .seconds(17))
      #expect(try Self.threads().isSuperset(of: threads))
    }

    /// The wait of idle threads, and the programs of Orc.
    @Test(
      .enabled(if: isAffected),
      arguments: [
        ("libvips.so.42", "vips_semaphore_down_timeout"),
        ("liborc-0.4.so.0", "orc_program_compile"), ("liborc-0.4.so.0", "orc_program_free"),
      ])
    func `library calls are bound to the definitions of this program`(
      library: String, function: String
    ) throws {
      let handle = try #require(dlopen(library, RTLD_NOW | RTLD_NOLOAD))
      defer { dlclose(handle) }
      // `dlsym` searches in the order in which libvips' own calls are bound: the program first, then its libraries.
      let bound = try #require(dlsym(nil, function))
      let own = try #require(dlsym(handle, function))
      #expect(bound != own)
    }
  }
#endif
