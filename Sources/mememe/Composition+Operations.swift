import API
import Files
import HTTPDaemon
import Memes
import OpenID
import Rendering
import Services
import Storage

extension SharedParts {
  /// The routes that show whether the server works, and describe its API.
  func operationRoutes() -> [Route] {
    let log = resources.log
    return OperationRoutes(
      readiness: Readiness(
        Readiness.Probes(
          database: stores.memes.checkHealth,
          renderer: resources.renderer.checkHealth,
          objects: resources.database.objects?.mark.check),
        freeDiskBytes: { [path = resources.folder.path] in FreeDisk.bytes(at: path) },
        diskFloorBytes: resources.settings.diskFloorBytes,
        report: { check, cause in
          log.write(
            .error, "not ready", [("check", .text(check.rawValue)), ("cause", .text(cause))])
        }),
      contract: contract
    ).routes
  }

  private var contract: ContractFiles {
    let files = ContractFiles(
      yaml: Assets.openAPI, json: Assets.openAPIJSON, yaml30: Assets.openAPI30)
    return resources.settings.publicURL.map { files.at($0.text) } ?? files
  }

  /// The web app, and the changes for clients that keep a copy of memes.
  func clientRoutes() -> [Route] {
    let settings = resources.settings
    return WebRoutes(
      files: Assets.web, digest: Server.digest, basePath: resources.basePath,
      access: WebAccess(
        anonymous: settings.anonymous, registration: settings.registration,
        memberInvites: settings.memberInvites, confirmsEmails: settings.mailServer != nil,
        connections: settings.connections, signOnName: provider?.name)
    ).routes
      + SyncRoutes(
        memes: stores.memes, bell: bell, authentication: authentication, context: context,
        connections: resources.daemon.maximumConnections
      ).routes
  }
}
