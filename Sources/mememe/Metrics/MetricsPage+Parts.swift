import API
import DrawingHelper
import Foundation
import HTTPDaemon
import Memes
import Metrics
import Rendering
import SQLite
import Services
import Storage

/// The parts of `/metrics`. `docs/operations.md` describes each metric for operators.
extension MetricsPage {
  /// A page with the metrics of all parts of a server but its listener, which does not exist yet.
  convenience init(_ parts: SharedParts, _ renditions: Renditions, _ backups: Backups) {
    let resources = parts.resources
    self.init()
    addProcess()
    add(parts.cache, resources.log)
    add(resources.throttle)
    add(parts.bell)
    add(resources.pool)
    add(renditions)
    add(resources.database, in: resources.folder, parts.limits)
    add(backups)
  }

  /// Adds the metrics of this build and of the process. Call it when the server starts.
  func addProcess() {
    let started = Date().timeIntervalSince1970
    add { text in
      text.describe("mememe_build_info", .gauge, "What runs: always 1, the labels tell.")
      text.sample(
        "mememe_build_info",
        [
          ("version", Version.current), ("sqlite", Database.version),
          ("libvips", DrawingHelper.libraryVersion),
        ], 1)
      let figures = ProcessFigures()
      text.gauge("process_start_time_seconds", "When it started, in seconds since 1970.", started)
      text.counter(
        "process_cpu_seconds_total", "User and system time of all threads.", figures.cpuSeconds)
      if let bytes = figures.residentBytes {
        text.gauge("process_resident_memory_bytes", "Memory that is in use.", bytes)
      }
      if let bytes = figures.virtualBytes {
        text.gauge("process_virtual_memory_bytes", "Memory that is reserved.", bytes)
      }
      if let count = figures.openFiles {
        text.gauge("process_open_fds", "Open files and sockets.", count)
      }
      if let limit = OpenFiles.limit {
        text.gauge("process_max_fds", "How many files and sockets may be open.", limit)
      }
    }
  }

  /// Adds the metrics of the response cache and of the log.
  func add(_ cache: ResponseCache, _ log: Log) {
    add { text in
      let statistics = cache.statistics
      text.gauge("mememe_answers_kept", "Answers that are kept ready.", statistics.answers)
      text.gauge("mememe_answers_kept_bytes", "The memory that they take.", statistics.bytes)
      text.counter(
        "mememe_answers_from_memory_total", "Requests that were answered with one of them.",
        statistics.hits)
      text.counter(
        "mememe_log_lines_lost_total", "Lines of the log that nobody took in time.", log.lostLines)
    }
  }

  /// Adds the requests rejected by rate limits.
  func add(_ throttle: Throttle) {
    add { text in
      let name = "mememe_requests_throttled_total"
      text.describe(name, .counter, "Requests that were answered 429, by limit.")
      for limit in Limit.allCases {
        text.sample(name, [("limit", limit.rawValue)], throttle.refusals(by: limit))
      }
    }
  }

  /// Adds the number of requests that wait for changes of memes.
  func add(_ bell: ChangeBell) {
    add { text in
      text.gauge(
        "mememe_change_waiters", "Requests that wait for changes of memes.", bell.count)
    }
  }

  /// Adds the metrics of picture rendering.
  func add(_ pool: RenderPool) {
    add { text in
      let (meter, load) = (pool.meter, pool.load)
      text.histogram(
        "mememe_render_duration_seconds", "Drawing a picture, without its wait.", meter.seconds)
      text.counter(
        "mememe_renders_failed_total", "Pictures that could not be drawn.", meter.failed.value)
      text.counter(
        "mememe_renders_refused_total", "Pictures refused because too many waited.",
        meter.refused.value)
      text.counter(
        "mememe_renders_late_total", "Pictures that were not drawn in time.", meter.late.value)
      text.gauge("mememe_render_queue_length", "Pictures that wait to be drawn.", load.waiting)
      text.gauge("mememe_render_workers", "Threads that draw.", load.workers)
      text.gauge("mememe_render_workers_busy", "Threads that draw right now.", load.busy)
      text.gauge(
        "mememe_preview_pictures_kept_bytes",
        "The memory of shrunken pictures that previews are drawn on.", pool.shelfBytes)
      text.counter(
        "mememe_previews_from_memory_total", "Previews that were drawn on one of them.",
        meter.previewsFromMemory.value)
      if let memory = pool.memory {
        text.gauge(
          "mememe_render_memory_bytes", "The memory that large pictures may take together.",
          memory.capacity)
        text.gauge(
          "mememe_render_memory_claimed_bytes", "What they have claimed of it.", memory.claimed)
        text.gauge(
          "mememe_render_memory_waiting", "Pictures that wait for memory, with their workers.",
          memory.waiting)
      }
      guard let helpers = pool.helpers else { return }
      text.describe(
        "mememe_draw_confinement", .gauge, "What keeps processes that draw from all else: 1 if so.")
      for (layer, confinement) in [("calls", Confinement.calls), ("files", .files)] {
        let isThere = helpers.confinement.contains(confinement)
        text.sample("mememe_draw_confinement", [("layer", layer)], isThere ? 1 : 0)
      }
      text.counter(
        "mememe_draw_processes_started_total", "Processes that were started to draw.",
        helpers.started.value)
      text.describe(
        "mememe_draw_processes_ended_total", .counter,
        "Processes that draw and have ended, by the reason.")
      for (reason, count) in helpers.ends {
        text.sample("mememe_draw_processes_ended_total", [("reason", reason.rawValue)], count)
      }
    }
  }

  /// Adds the metrics of renditions: pictures in other sizes and formats.
  func add(_ renditions: Renditions) {
    add { text in
      let meter = renditions.meter
      text.counter(
        "mememe_derived_found_total", "Wanted in another size or kind, and there.",
        meter.found.value)
      text.counter(
        "mememe_derived_made_total", "Wanted in another size or kind, and made.",
        meter.made.value)
      text.counter(
        "mememe_derived_kept_total", "Of those that were made, the ones that were kept.",
        meter.kept.value)
    }
  }

  /// Adds the metrics of the database and of its disk.
  func add(_ database: Database, in folder: DataFolder, _ limits: StorageLimits) {
    // Captures only the paths: the folder stays locked as long as it is referenced.
    let (path, file) = (folder.path, folder.database)
    add { text in
      let meter = database.writer.meter
      text.gauge(
        "mememe_sqlite_transactions_waiting", "Transactions that have not begun.",
        database.writer.waiting)
      text.counter(
        "mememe_sqlite_transactions_total", "Transactions that are durable.",
        meter.transactions.value)
      text.counter(
        "mememe_sqlite_commits_total", "Commits: transactions that waited together share one.",
        meter.commitSeconds.count)
      text.histogram(
        "mememe_sqlite_commit_duration_seconds", "Making what shares a commit durable.",
        meter.commitSeconds)
      text.histogram(
        "mememe_sqlite_checkpoint_duration_seconds",
        "Copying the write-ahead log into the database.", meter.checkpointSeconds)
      text.describe(
        "mememe_sqlite_wal_held_seconds", .gauge,
        "For how long a reader has kept that from being done, from ten seconds on.")
      if let hold = meter.hold.current {
        text.sample(
          "mememe_sqlite_wal_held_seconds", [("reader", hold.reader)], hold.duration / .seconds(1))
      }
      text.gauge(
        "mememe_sqlite_database_bytes", "The database's file.", FileSize.bytes(at: file))
      text.gauge(
        "mememe_sqlite_wal_bytes", "The file of its write-ahead log.",
        FileSize.bytes(at: file + "-wal"))
      if let free = FreeDisk.bytes(at: path) {
        text.gauge("mememe_disk_free_bytes", "What is free on the disk of the data folder.", free)
      }
      // If the query fails, the metrics are left out: wrong numbers would be worse.
      guard let totals = try? StoredTotals(in: database) else { return }
      text.describe("mememe_memes", .gauge, "Memes that people see, and those in the trash.")
      text.sample("mememe_memes", [("state", "visible")], totals.visible)
      text.sample("mememe_memes", [("state", "deleted")], totals.deleted)
      text.gauge(
        "mememe_picture_bytes", "Bytes of their pictures, originals included.", totals.pictureBytes)
      text.gauge(
        "mememe_derived_pictures", "Pictures in other sizes and kinds that are kept.",
        totals.derived)
      text.gauge("mememe_derived_bytes", "Their bytes.", totals.derivedBytes)
      text.gauge("mememe_uploads", "Uploads that are not purged.", totals.uploads)
      text.gauge("mememe_upload_bytes", "Bytes of these uploads.", totals.uploadBytes)
      text.gauge(
        "mememe_unfinished_uploads", "Uploads that come in pieces and are not whole.",
        totals.unfinishedUploads)
      text.gauge(
        "mememe_unfinished_upload_bytes", "Bytes of their pieces.", totals.unfinishedUploadBytes)
      text.gauge("mememe_templates", "Templates.", totals.templates)
      text.gauge(
        "mememe_template_bytes", "Bytes of their pictures and thumbnails.", totals.templateBytes)
      let name = "mememe_stored_bytes"
      text.describe(name, .gauge, "Bytes of memes, templates and uploads, by who has them.")
      text.sample(name, [("owner", "accounts")], totals.accountBytes)
      text.sample(name, [("owner", "none")], totals.anonymousBytes)
      if let limit = limits.anonymous {
        text.gauge(
          "mememe_anonymous_bytes_limit", "The most bytes that may be stored without an account.",
          limit)
      }
    }
  }

  /// Adds the metrics of requests and connections.
  func add(_ meter: RequestMeter, _ daemon: Daemon) {
    add { [weak daemon] text in
      meter.write(to: &text)
      guard let daemon else { return }
      let statistics = daemon.statistics
      text.gauge(
        "mememe_http_requests_in_flight", "Requests that have begun and are not over.",
        statistics.runningRequests)
      text.gauge(
        "mememe_http_streams_open", "Those of them whose answer goes on, as events do.",
        statistics.openStreams)
      text.gauge(
        "mememe_http_connections_open", "Connections that are open.", statistics.openConnections)
      text.counter(
        "mememe_http_connections_accepted_total", "Connections that were taken on.",
        statistics.acceptedConnections)
      text.counter(
        "mememe_http_connections_refused_total", "Connections that were one too many.",
        statistics.refusedConnections)
      let cut = "mememe_http_connections_cut_total"
      text.describe(cut, .counter, "Connections that the server ended, by reason.")
      for reason in CutReason.allCases {
        text.sample(cut, [("reason", reason.name)], statistics.cutConnections[reason] ?? 0)
      }
    }
  }
}
