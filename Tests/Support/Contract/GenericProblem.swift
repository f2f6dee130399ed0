import YAML

/// A problem that many operations share. The contract describes these problems with the response `default`; this table
/// says which of them an operation can have, so that tests stay as strict as a contract that lists them everywhere.
struct GenericProblem {
  let codes: Set<String>
  /// The header that the response must have.
  var header: String?

  /// The problems of every request, by status: of its framing and size, and of a busy or failing server.
  private static let ofEveryRequest: [Int: GenericProblem] = [
    400: GenericProblem(codes: ["malformed-request"]),
    408: GenericProblem(codes: ["request-timeout"]),
    413: GenericProblem(codes: ["content-too-large"]),
    414: GenericProblem(codes: ["uri-too-long"]),
    417: GenericProblem(codes: ["expectation-failed"]),
    431: GenericProblem(codes: ["header-too-large"]),
    500: GenericProblem(codes: ["internal-error"]),
    503: GenericProblem(
      codes: ["overloaded", "render-timeout", "storage-busy"], header: "Retry-After"),
  ]

  /// Changes that store nothing, so that a full disk does not matter.
  private static let storingNothing: Set = ["requestPasswordReset"]

  /// - Parameters:
  ///   - operation: the operation in the contract, or `nil` for `x-options` and `x-any-request`.
  ///   - item: the path of the operation.
  /// - Returns: the problem with this status, or `nil` if the operation cannot have one.
  static func of(
    status: Int, method: String, operation: YAML?, item: YAML?, in document: YAML
  ) -> GenericProblem? {
    guard let operation else { return ofEveryRequest[status] }
    switch status {
    case 400:
      let names = parameterNames(of: operation, item, in: document)
      var codes: Set = ["malformed-request"]
      if !names.isDisjoint(with: ["cursor", "since"]) { codes.insert("invalid-cursor") }
      if names.contains("Idempotency-Key") { codes.insert("invalid-idempotency-key") }
      return GenericProblem(codes: codes)
    case 401 where readsCredentials(operation):
      return GenericProblem(codes: ["unauthorized"], header: "WWW-Authenticate")
    case 403 where readsCredentials(operation):
      return GenericProblem(codes: ["forbidden", "insufficient-scope", "cross-site", "suspended"])
    case 412 where operation["responses"]?["304"] != nil:
      return GenericProblem(codes: ["precondition-failed"])
    case 415 where takesJSON(operation, in: document):
      return GenericProblem(codes: ["unsupported-media-type"])
    case 507 where changesStorage(operation, method):
      return GenericProblem(codes: ["storage-full"])
    default:
      return ofEveryRequest[status]
    }
  }

  private static func parameterNames(
    of operation: YAML, _ item: YAML?, in document: YAML
  ) -> Set<String> {
    let parameters =
      (item?["parameters"]?.sequence ?? []) + (operation["parameters"]?.sequence ?? [])
    return Set(parameters.compactMap { $0.resolved(in: document)["name"]?.string })
  }

  private static func readsCredentials(_ operation: YAML) -> Bool {
    (operation["security"]?.sequence ?? []).contains { $0.mapping?.isEmpty == false }
  }

  private static func takesJSON(_ operation: YAML, in document: YAML) -> Bool {
    operation["requestBody"]?.resolved(in: document)["content"]?["application/json"] != nil
  }

  private static func changesStorage(_ operation: YAML, _ method: String) -> Bool {
    !["GET", "HEAD"].contains(method)
      && !storingNothing.contains(operation["operationId"]?.string ?? "")
  }
}
