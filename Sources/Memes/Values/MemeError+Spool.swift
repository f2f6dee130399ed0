package import Bytes

extension MemeError {
  package init(_ failure: Spool.Failure) {
    self = failure == .full ? .storageFull : .storage(failure)
  }
}
