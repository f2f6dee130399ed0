/// A meme or template made without an account. Its author holds a `deleteToken` for it.
package enum ResourceRef: Hashable, Sendable {
  case meme(MemeID)
  case template(TemplateID)
}
