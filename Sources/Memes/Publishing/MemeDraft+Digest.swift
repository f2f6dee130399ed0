extension MemeDraft {
  /// Stands for everything that was sent but the id: two drafts with the same digest ask for the same meme.
  ///
  /// - Parameter picture: the digest of the picture's bytes.
  func digest(picture: Digest, _ digest: Digester) -> Digest {
    let parts = [
      picture.hexadecimal, top.text, bottom.text, style.fill.description,
      style.outline.description, altText.map { "=" + $0.text } ?? "",
      maxEdge.map { String($0.pixels) } ?? "", format?.rawValue ?? "",
    ]
    return Digest(of: parts, digest)
  }
}
