import CFontconfig

/// The paths that fontconfig reads.
package enum FontconfigPaths {
  /// The font folders, configuration files and cache folders.
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
