public import Foundation

extension MemeMeClient {
  /// Exports all data of the signed-in user as a ZIP archive.
  ///
  /// - Parameter file: The destination. The file appears when the download is complete and replaces an existing file.
  public func exportAccount(to file: URL) async throws {
    var call = Call(.exportAccount)
    call.accept = "application/zip"
    try await download(call, to: file)
  }
}
