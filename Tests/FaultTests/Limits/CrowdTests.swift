#if os(Linux)
  import Bytes
  import Foundation
  import Imaging
  import Support
  import Testing

  /// Many concurrent large uploads on a server that does not have memory for all of them. Drawing uses the memory of
  /// other processes.
  @Suite(.serialized)
  struct CrowdTests {
    private static let uploads = 64
    /// The size of the comments in each picture, so that uploads that wait take memory as well.
    private static let commentBytes = 700_000
    /// No picture is reduced.
    private static let maxEdge = 2048

    /// With 4 MiB to spare, few uploads can wait in memory; with 28 MiB, not all of them can.
    @Test(arguments: [4 << 20, 28 << 20])
    func `each of 64 concurrent large uploads is stored or rejected, and reads go on`(
      spareBytes: Int
    ) async throws {
      try await Witness.run { witness in
        let (server, ledger, machine) = (witness.server, witness.ledger, witness.machine)
        try await witness.upload().expect(201)
        let picture = try Self.largePicture()
        var random = SeededRandom(9)
        let uploads = try (0..<Self.uploads + 2).map { _ in
          try Ledger.Upload(
            &random, of: picture, commentBytes: Self.commentBytes, maxEdge: Self.maxEdge)
        }
        machine.limitLargeAllocations(spareBytes: spareBytes)
        let statuses = try await withThrowingTaskGroup { group in
          for upload in uploads.dropFirst(2) {
            group.addTask {
              ledger.willUpload(upload)
              let answer = try await server.post(upload.form)
              if answer.status == 201 { ledger.wasUploaded(upload, answer.json) }
              return answer.status
            }
          }
          var statuses: [Int] = []
          while let status = try await group.next() {
            statuses.append(status)
            // Between any two of the responses.
            try await witness.expectReads(ofPictureUpTo: 100_000)
            try await server.get("/healthz").expect(200)
          }
          return statuses
        }
        #expect(statuses.count == Self.uploads)
        #expect(Set(statuses).isSubset(of: [201, 500, 503]), "\(statuses)")
        if machine.seesAllocations { #expect(machine.refusedAllocations > 0) }
        // The crowd has left nothing behind.
        try await witness.send(uploads[0]).expect(201)
        machine.mend()
        try await witness.send(uploads[1]).expect(201)
        try await witness.expectReads()
        try await server.readiness(becoming: 200).expect(200)
      }
    }

    /// The photo repeated in a 3×3 grid: 1920×1440.
    private static func largePicture() throws -> [UInt8] {
      let file = Bytes(try Fixture.photo.bytes)
      let (photo, large) = (PixelBuffer(), PixelBuffer())
      try PictureDecoder.decode(
        file, header: PictureHeader(of: file, maximumPixels: 1 << 20), maximumEdge: 1 << 14,
        into: photo)
      large.reshape(width: 3 * photo.width, height: 3 * photo.height, channels: photo.channels)
      let (tile, all) = (photo.pixels, large.pixels)
      for row in 0..<large.height {
        let source = tile.dropFirst(row % photo.height * photo.bytesPerRow).prefix(
          photo.bytesPerRow)
        for column in 0..<3 {
          let place = row * large.bytesPerRow + column * photo.bytesPerRow
          UnsafeMutableRawBufferPointer(rebasing: all[place..<place + source.count])
            .copyBytes(from: source)
        }
      }
      return try PictureEncoder.jpeg(large, quality: 85).withUnsafeBytes { Array($0) }
    }
  }
#endif
