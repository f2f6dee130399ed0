/// One step of the schema: an SQL script that must never change after it has run on any database.
package struct Migration: Sendable, Equatable {
  package let name: String
  package let sql: String

  package init(name: String, sql: String) { (self.name, self.sql) = (name, sql) }
}
