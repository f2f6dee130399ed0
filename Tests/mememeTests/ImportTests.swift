import Foundation
import Support
import Testing
import Wire

/// `mememe import` in separate processes.
struct ImportTests {
  @Test func `rows become memes of their authors`() async throws {
    try await withImportFolder { folder in
      try await folder.makePerson("ada")
      try folder.put(.photo, as: "Fotos/Größe 😀.jpg")
      try folder.put(.transparent, as: "b.png")
      try folder.put(
        """
        [{"file": "b.png", "top": "שלום\\nworld", "author": "ada", "visibility": "private",
          "createdAt": "2019-05-06T07:08:09.010Z"},
         {"file": "Fotos/Größe 😀.jpg", "bottom": "new", "altText": "a cat"}]
        """, as: "memes.json")
      let run = try await folder.run()
      #expect(run.code == 0, "\(run.output)")
      #expect(run.output.contains("imported 2 memes"))
      #expect(!folder.has("memes-failed.json"))
      try await withServer(in: folder.data) { server in
        let mine = try await server.get("/memes", token: try await server.token("ada")).expect(200)
        let items = mine.json.items.elements
        #expect(items.map(\.bottom.text) == ["new", ""])
        #expect(items.last?.top.text == "שלום\nworld")
        #expect(items.last?.author.username.text == "ada")
        #expect(items.last?.createdAt.text == "2019-05-06T07:08:09.010Z")
        #expect(try await server.listed().count == 1)
        let url = try #require(items.first?.id.text).lowercased()
        let original = try await server.get("/memes/\(url)/original", token: server.adminToken)
        #expect(original.response.body == (try Fixture.photo.bytes))
        #expect(items.first?.altText.text == "a cat")
      }
    }
  }

  @Test func `control characters become spaces, and the command says so`() async throws {
    try await withImportFolder { folder in
      try folder.put(.photo, as: "a.jpg")
      try folder.put(
        """
        [{"file": "a.jpg", "top": "a\\u001bb\\tc", "altText": "d\\u0001e"},
         {"file": "a.jpg", "captions": [{"text": "f\\u0085g", "x": 0, "y": 0, "width": 1, "height": 1}]},
         {"file": "a.jpg", "top": "plain"}]
        """, as: "memes.json")
      let run = try await folder.run()
      #expect(run.code == 0 && run.output.contains("imported 3 memes"), "\(run.output)")
      #expect(run.output.contains("replaced control characters with spaces in 2 rows"))
      try await withServer(in: folder.data) { server in
        let items = try await server.get("/memes").expect(200).json.items.elements
        #expect(items.map(\.top.text) == ["plain", "", "a b c"])
        #expect(items[1].captions[0]["text"].text == "f g")
        #expect(items[2].altText.text == "d e")
      }
    }
  }

  @Test func `invalid rows are reported and saved, and the others are imported`() async throws {
    try await withImportFolder { folder in
      try folder.put(.photo, as: "a.jpg")
      // The list has precomposed accents, the disk decomposed ones.
      try folder.put(.moving, as: "cafe\u{301}.gif")
      try folder.put(Array(try Fixture.photo.bytes.prefix(3000)), as: "cut.jpg")
      try folder.put("no picture", as: "text.jpg")
      try folder.put([], as: "empty.jpg")
      let long = String(repeating: "x", count: 300)
      try folder.put(
        """
        file,top,fill,author,crop\r
        a.jpg,good,,,\r
        gone.jpg,,,nobody_here,\r
        cut.jpg,,,,\r
        text.jpg,,,,\r
        empty.jpg,,,,\r
        a.jpg,\(long),blue,,\r
        a.jpg,,,,"0,0,9999,1"\r
        ../a.jpg,,,,\r
        /etc/passwd,,,,\r
        caf\u{E9}.gif,,,,\r
        ../\u{301}a.jpg,,,,\r
        """)
      let run = try await folder.run()
      #expect(run.code == 1)
      #expect(run.output.contains("imported 2 memes"))
      for told in [
        "line 3, gone.jpg: author: No user has the username nobody_here. file: The file does not exist",
        "line 4, cut.jpg: file:", "line 5, text.jpg: file:", "line 6, empty.jpg: file:",
        "line 7, a.jpg: fill:", "top: Must have at most 280",
        "line 8, a.jpg: crop: The crop must be inside the picture, which is 640 × 480 pixels.",
        "line 9, ../a.jpg: file: The path is outside the folder",
        "line 10, /etc/passwd: file: The path is outside the folder",
        "line 12, ../\u{301}a.jpg: file: The path is outside the folder",
      ] {
        #expect(run.output.contains(told), "\(told) in \(run.output)")
      }
      let failed = try folder.text(of: "memes-failed.csv").split(whereSeparator: \.isNewline)
      #expect(failed.count == 10)
      #expect(failed.first == "file,top,fill,author,crop")

      try folder.put("file,top\na.jpg,mended\n", as: "memes-failed.csv")
      let mended = try await folder.run("--list", "memes-failed.csv")
      #expect(mended.code == 0, "\(mended.output)")
      #expect(folder.count() == 3)
    }
  }

  @Test func `files outside the folder are not read`() async throws {
    try await withImportFolder { folder in
      try folder.put(.photo, as: "in/a.jpg")
      let secret = folder.data.deletingLastPathComponent().appending(path: "secret.jpg")
      try Data(try Fixture.photo.bytes).write(to: secret)
      let files = FileManager.default
      let root = folder.pictures.path
      try files.createSymbolicLink(atPath: "\(root)/out.jpg", withDestinationPath: secret.path)
      try files.createSymbolicLink(atPath: "\(root)/up", withDestinationPath: "..")
      try files.createSymbolicLink(atPath: "\(root)/here.jpg", withDestinationPath: "in/a.jpg")
      #expect(mkfifo("\(root)/pipe.jpg", 0o600) == 0)
      try folder.put(
        "file,top\nout.jpg,1\nup/secret.jpg,2\npipe.jpg,3\nin,4\nhere.jpg,5\nin/../../secret.jpg,6\n"
      )
      let run = try await folder.run()
      #expect(run.code == 1)
      #expect(run.output.contains("imported 1 memes"), "\(run.output)")
      #expect(run.output.contains("line 2, out.jpg: file: The path is outside the folder"))
      #expect(run.output.contains("line 3, up/secret.jpg: file: The path is outside the folder"))
      #expect(run.output.contains("line 4, pipe.jpg: file: Not a regular file."))
      #expect(
        run.output.contains("line 7, in/../../secret.jpg: file: The path is outside the folder"))

      let pictures = try await folder.run("--without-captions", "--dry-run")
      #expect(pictures.output.contains("would import 1 memes"), "\(pictures.output)")
    }
  }

  @Test func `deleted memes stay deleted, and an id belongs to one row`() async throws {
    try await withImportFolder { folder in
      try folder.put(.transparent, as: "a.png")
      let id = UUID().uuidString.lowercased()
      try folder.put("file,top,id\na.png,one,\na.png,two,\(id)\na.png,three,\(id)\na.png,one,\n")
      let first = try await folder.run()
      #expect(first.code == 1)
      #expect(first.output.contains("line 4, a.png: id: An earlier row has the same ID."))
      #expect(first.output.contains("imported 2 memes"))
      #expect(first.output.contains("1 already imported"))
      try await withServer(in: folder.data) { server in
        for meme in try await server.listed() {
          try await server.delete(meme, token: server.adminToken).expect(204)
        }
      }
      let second = try await folder.run()
      #expect(second.output.contains("imported 0 memes"), "\(second.output)")
      #expect(second.output.contains("2 deleted earlier"))
      #expect(folder.count() == 0)
    }
  }

  @Test func `next to a running server only a dry run is allowed`() async throws {
    try await withImportFolder { folder in
      try folder.put(.photo, as: "a.jpg")
      try folder.put("file,top\na.jpg,x\nb.jpg,y\n")
      try await withServer(in: folder.data) { server in
        try await server.get("/healthz").expect(200)
        let refused = try await folder.run()
        #expect(refused.code == 1)
        #expect(refused.output.contains("stop the server before the import"), "\(refused.output)")
        let trial = try await folder.run("--dry-run")
        #expect(trial.code == 1)
        #expect(trial.output.contains("would import 1 memes"), "\(trial.output)")
        #expect(trial.output.contains("line 3, b.jpg: file: The file does not exist"))
        #expect(try await server.listed().isEmpty)
        #expect(!folder.has("memes-failed.csv"))
      }
    }
  }

  @Test func `if an account is deleted during the import, only its rows fail`() async throws {
    try await withImportFolder { folder in
      for name in ["ada", "bob"] { try await folder.makePerson(name) }
      // As if bob left while the rows are drawn.
      try await editDatabase(
        in: folder.data,
        """
        CREATE TRIGGER bob_leaves AFTER INSERT ON memes BEGIN
          DELETE FROM users WHERE username = 'bob';
        END
        """)
      try folder.put(.photo, as: "a.jpg")
      try folder.put("file,top,author\na.jpg,x,ada\na.jpg,y,bob\na.jpg,z,ada\n")
      let run = try await folder.run()
      #expect(run.code == 1, "\(run.output)")
      #expect(run.output.contains("line 3, a.jpg: author:"), "\(run.output)")
      #expect(run.output.contains("imported 2 memes") && run.output.contains("1 failed"))
      #expect(try folder.text(of: "memes-failed.csv").contains("a.jpg,y,bob"))
      #expect(folder.count() == 2)
    }
  }

  @Test func `a full disk ends the import without failing rows`() async throws {
    try await withImportFolder { folder in
      try folder.put(.photo, as: "a.jpg")
      try folder.put("file,top\na.jpg,x\na.jpg,y\n")
      let full = try await folder.run("--disk-floor-bytes", "1125899906842624")
      #expect(full.code == 1)
      #expect(full.output.contains("the disk is full"), "\(full.output)")
      #expect(!full.output.contains("line 2"))
      #expect(!folder.has("memes-failed.csv"))
      #expect(try await folder.run().output.contains("imported 2 memes"))
    }
  }

  @Test func `a folder without a list is imported only with the flag`() async throws {
    try await withImportFolder { folder in
      try await folder.makePerson("ada")
      try folder.put(.photo, as: "b/photo.JPG")
      try folder.put(.transparent, as: "a.png")
      try folder.put(.photo, as: ".hidden/c.jpg")
      try folder.put("words", as: "notes.txt")
      let refused = try await folder.run()
      #expect(refused.code == 1)
      #expect(refused.output.contains("--without-captions"))
      let run = try await folder.run("--without-captions", "--author", "Ada")
      #expect(run.code == 0, "\(run.output)")
      #expect(run.output.contains("imported 2 memes"))
      try folder.put("file\na.png\n", as: "memes.csv")
      try folder.put("", as: "memes.jsonl")
      #expect(try await folder.run().output.contains("choose one with --list"))
      try folder.put("words\n", as: "memes.csv")
      let unread = try await folder.run("--list=memes.csv")
      #expect(unread.code == 1)
      #expect(unread.output.contains("memes.csv: The first line must list the columns"))
    }
  }

  @Test func `invalid arguments are rejected with exit code 2`() async throws {
    for words in [
      ["import"], ["import", "a", "b"], ["import", "a", "--author"],
      ["import", "a", "--author", "a b"],
      ["import", "a", "--author", "ada", "--no-authors"], ["import", "--dry-run"],
      ["import", "a", "--list", "x.csv", "--without-captions"], ["export"],
      ["export", "a", "--without"], ["export", "a", "--author=x"],
    ] {
      let refused = try await ServerProcess.run(words)
      #expect(refused.code == 2, "\(words) \(refused.output)")
    }
    let gone = try await ServerProcess.run(["import", "/nowhere/at/all"])
    #expect(gone.code == 1)
    #expect(gone.output.contains("is not a folder"))
  }
}
