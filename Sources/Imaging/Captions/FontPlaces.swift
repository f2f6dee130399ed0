import CFontconfig

/// The places that fontconfig reads.
package enum FontPlaces {
  /// Folders of fonts, files of settings, and folders of what it knows of fonts.
  package static var all: [String] {
    [FcConfigGetFontDirs(nil), FcConfigGetConfigFiles(nil), FcConfigGetCacheDirs(nil)]
      .flatMap { list -> [String] in
        guard let list else { return [] }
        defer { FcStrListDone(list) }
        var places: [String] = []
        while let place = FcStrListNext(list) { places.append(String(cString: place)) }
        return places
      }
  }
}
