/// Something that whoever made it without an account keeps by a `deleteToken`.
package enum Possession: Hashable, Sendable {
  case meme(MemeID)
  case template(TemplateID)
}
