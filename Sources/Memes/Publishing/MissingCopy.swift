/// The renderer returned no copy although one is required.
package struct MissingCopy: Error {
  package init() {}
}
