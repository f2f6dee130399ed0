public import Foundation

extension MemeMeClient {
  /// Fetches everything that is one's own, as a ZIP archive.
  ///
  /// - Parameter file: where it is to be. There is nothing before all of it has come; what was there is replaced.
  public func exportAccount(to file: URL) async throws {
    var call = Call(.exportAccount)
    call.accept = "application/zip"
    try await download(call, to: file)
  }
}
