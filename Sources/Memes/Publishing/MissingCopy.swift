/// The renderer returned no copy although one is required.
struct MissingCopy: Error {}
