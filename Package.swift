// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is built with the same, strictest settings.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Linked by lld, with packed relocations: docs/decisions/0117. Not for libraries, because a package with such flags
/// cannot be a dependency.
let linking: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"],
    .when(platforms: [.linux]))
]

/// A room of the house: `Sources/<name>`.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The tests that mirror a room: `Tests/<name>Tests`.
func tests(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.target(name: name), "Eventually"] + dependencies,
    exclude: exclude, swiftSettings: settings)
}

/// A C library of the system, found through pkg-config: `Sources/<name>`.
func library(_ name: String, _ pkgConfig: String, apt: String, brew: String) -> Target {
  .systemLibrary(
    name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

var products: [Product] = [
  .executable(name: "mememe", targets: ["mememe"]),
  .executable(name: "mememe-client", targets: ["mememe-client"]),
  // For apps. It is all of the package that builds for iOS.
  .library(name: "MemeMeClient", targets: ["MemeMeClient"]),
]
#if os(Linux)
  // Tests load it into the server's process, where it stands between the server and the C library.
  products.append(.library(name: "FaultyMachine", type: .dynamic, targets: ["FaultyMachine"]))
  // Into a process that draws, where it stands in the place of a function of libjpeg.
  products.append(.library(name: "FaultyDecoder", type: .dynamic, targets: ["FaultyDecoder"]))
#endif

let package = Package(
  name: "MemeMe",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: products,
  targets: [
    library("CMicroHTTPD", "libmicrohttpd", apt: "libmicrohttpd-dev", brew: "libmicrohttpd"),
    library("CSQLite", "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    library("CPQ", "libpq", apt: "libpq-dev", brew: "libpq"),
    library("CVips", "vips", apt: "libvips-dev", brew: "vips"),
    library("CTurboJPEG", "libturbojpeg", apt: "libturbojpeg0-dev", brew: "jpeg-turbo"),
    library("CPangoCairo", "pangocairo", apt: "libpango1.0-dev", brew: "pango"),
    library("CFontconfig", "fontconfig", apt: "libfontconfig-dev", brew: "fontconfig"),
    library("CGnuTLS", "gnutls", apt: "libgnutls28-dev", brew: "gnutls"),
    library("CSodium", "libsodium", apt: "libsodium-dev", brew: "libsodium"),
    library("CCurl", "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
    library("CJansson", "jansson", apt: "libjansson-dev", brew: "jansson"),
    library("CZlib", "zlib", apt: "zlib1g-dev", brew: "zlib"),
    library("CExpat", "expat", apt: "libexpat1-dev", brew: "expat"),
    library("CYAML", "yaml-0.1", apt: "libyaml-dev", brew: "libyaml"),
    .target(name: "CAssets"),
    .target(name: "CLibraryFaults", dependencies: ["CVips"]),
    // Of Linux alone.
    .systemLibrary(
      name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .target(
      name: "CHelpers",
      dependencies: [.target(name: "CSeccomp", condition: .when(platforms: [.linux]))]),

    room("Arguments"),
    room("Files"),
    room("Bytes", ["Files"]),
    room("Metrics", ["Bytes"]),
    room("YAML", ["CYAML"]),
    room("Curl", ["Bytes", "CCurl"]),
    room("Archive", ["Bytes", "CZlib"]),
    room("Objects", ["Bytes", "Curl", "CExpat", "Metrics"]),
    room("JSON", ["Bytes", "CJansson"]),
    room("HTTP", ["Bytes"]),
    room("Outgoing", ["Bytes", "Curl", "HTTP"]),
    room("HTTPDaemon", ["HTTP", "Bytes", "CGnuTLS", "CMicroHTTPD"]),
    room("SQL", ["Bytes"]),
    room("SQLite", ["Bytes", "CSQLite", "Metrics", "SQL"]),
    room("PostgreSQL", ["Bytes", "CPQ", "SQL"]),
    room(
      "Imaging",
      ["Bytes", "CFontconfig", "CHelpers", "CPangoCairo", "CTurboJPEG", "CVips", "CLibraryFaults"]),
    room("Crypto", ["Bytes", "Files", "CGnuTLS", "CSodium"]),
    room("Memes", ["Bytes", "Metrics"]),
    room("Mail", ["Memes", "Bytes", "Curl", "Files"]),
    room("OpenID", ["Memes", "Bytes", "Crypto", "Curl", "JSON"]),
    room("Storage", ["Memes", "Objects", "PostgreSQL", "SQL", "SQLite", "Bytes", "Files"]),
    room("Rendering", ["Memes", "Bytes", "Metrics", "CHelpers"]),
    room(
      "Services",
      [
        "Memes", "Objects", "OpenID", "Storage", "Rendering", "Crypto", "Bytes", "Metrics",
        "Outgoing",
      ]),
    room("DrawingHelper", ["Rendering", "Imaging", "Memes", "Bytes", "CHelpers"]),
    room(
      "API",
      ["Archive", "Memes", "Storage", "Services", "HTTP", "JSON", "Bytes", "Metrics"]),
    // On Apple's systems URLSession does what libcurl does on Linux.
    room(
      "MemeMeClient",
      [
        "Bytes", "Files", "SQL", "SQLite",
        .target(name: "Curl", condition: .when(platforms: [.linux])),
      ]),
    .executableTarget(
      name: "mememe",
      dependencies: [
        "API", "Arguments", "Bytes", "CAssets", "Crypto", "Curl", "DrawingHelper", "Files", "HTTP",
        "HTTPDaemon", "Mail", "Memes", "Metrics", "Objects", "OpenID", "PostgreSQL", "Rendering",
        "SQL", "SQLite", "Services", "Storage", "Outgoing", "YAML",
      ],
      swiftSettings: settings, linkerSettings: linking),
    .executableTarget(
      name: "mememe-client", dependencies: ["Arguments", "MemeMeClient"], swiftSettings: settings),

    // Pictures that look like photographs to an encoder, from a seed: for the gallery and for the benchmarks.
    .target(
      name: "PhotoGenerator", dependencies: ["Bytes", "Imaging"], path: "Benchmarks/PhotoGenerator",
      swiftSettings: settings),
    .executableTarget(
      name: "gallery",
      dependencies: ["Bytes", "DrawingHelper", "Imaging", "Memes", "PhotoGenerator", "Rendering"],
      swiftSettings: settings),
    .executableTarget(
      name: "bench-render",
      dependencies: ["Bytes", "DrawingHelper", "Imaging", "Memes", "PhotoGenerator", "Rendering"],
      path: "Benchmarks/RenderBenchmark", swiftSettings: settings),

    tests("Arguments"),
    tests("Files"),
    tests("Bytes"),
    tests("Metrics", ["Bytes", "Support"]),
    tests("HTTP", ["Bytes"]),
    tests("Outgoing", ["Bytes", "HTTP", "Wire"]),
    tests("JSON", ["Bytes"]),
    tests("HTTPDaemon", ["HTTP", "Bytes", "Wire"]),
    tests("SQLite", ["Bytes", "Metrics", "SQL", "Support"]),
    tests("PostgreSQL", ["Bytes", "SQL", "Support", "Wire"]),
    tests("Objects", ["Bytes", "Metrics", "Support"]),
    tests("Imaging", ["Bytes", "Support"]),
    tests("Crypto", ["Bytes", "Files"]),
    tests("Memes", ["Bytes", "Metrics"]),
    tests("Mail", ["Memes", "Bytes", "Support", "Wire"]),
    tests("OpenID", ["Memes", "Bytes", "Crypto"]),
    tests(
      "Storage",
      [
        "Memes", "Objects", "PostgreSQL", "Services", "SQL", "SQLite", "Bytes", "Crypto", "Files",
        "Metrics", "Support", "mememe",
      ],
      exclude: ["Statements/SQL"]),
    tests("Services", ["Memes", "Storage", "Bytes", "Metrics"]),
    tests("Rendering", ["Memes", "Metrics", "Imaging", "Bytes", "DrawingHelper", "Support"]),

    // A wait that fails by its name.
    .target(name: "Eventually", path: "Tests/Eventually", swiftSettings: settings),
    .target(
      name: "Wire", dependencies: ["HTTPDaemon", "CGnuTLS"], path: "Tests/Wire",
      exclude: ["Fixtures"],
      swiftSettings: settings),
    .target(
      name: "Support",
      dependencies: [
        "API", "Bytes", "Crypto", "DrawingHelper", "Eventually", "HTTP", "Memes", "Objects",
        "PostgreSQL", "Rendering", "SQL", "SQLite", "Services",
        "Storage", "Wire", "YAML", "mememe",
      ],
      path: "Tests/Support",
      exclude: ["Fixtures", "requirements.txt", "requirements-macos.txt"], swiftSettings: settings),
    tests("YAML"),
    tests("Archive", ["Bytes", "Support"]),
    tests("Support", ["Wire", "YAML"]),
    tests(
      "API",
      [
        "Bytes", "CExpat", "Crypto", "HTTP", "Imaging", "Memes", "Services", "Storage", "Support",
        "Wire", "YAML", "mememe",
      ]),
    tests(
      "mememe",
      [
        "API", "Bytes", "Crypto", "HTTP", "Imaging", "Memes", "Objects", "OpenID", "Rendering",
        "SQL", "SQLite", "Services", "Storage", "Support", "Wire",
      ]),
    tests("MemeMeClient", ["SQL", "SQLite", "Support", "Wire", "YAML", "mememe-client"]),
    .testTarget(
      name: "SyncTests", dependencies: ["Support", "Wire", "mememe-client"], swiftSettings: settings
    ),
    .target(name: "FaultyMachine", path: "Tests/FaultyMachine"),
    .target(name: "FaultyDecoder", path: "Tests/FaultyDecoder"),
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "Bytes", "Crypto", "Imaging", "Memes", "Objects", "PostgreSQL", "SQL", "Services",
        "Storage", "Support", "Wire", "mememe",
      ],
      swiftSettings: settings),
    .testTarget(name: "HouseTests", swiftSettings: settings),
  ]
)

// The fuzz targets are built twice: with `script/fuzz`, which sets the variable, into a program that libFuzzer drives;
// otherwise into tests that replay the corpora.
let fuzzed: [Target.Dependency] = [
  "API", "Bytes", "Crypto", "HTTP", "HTTPDaemon", "Imaging", "JSON", "Memes", "Objects",
  "OpenID", "Rendering", "Services", "Storage",
]
package.targets.append(
  Context.environment["MEMEME_FUZZ"] == nil
    ? .testTarget(
      name: "FuzzTests", dependencies: fuzzed, path: "Fuzz", exclude: ["Corpora", "Driver"],
      swiftSettings: settings)
    : .executableTarget(
      name: "fuzz", dependencies: fuzzed, path: "Fuzz", exclude: ["Corpora", "Replay"],
      swiftSettings: settings))
