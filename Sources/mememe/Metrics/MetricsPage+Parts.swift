import API
import DrawingHelper
import Files
import Foundation
import HTTPDaemon
import Memes
import Metrics
import Objects
import PostgreSQL
import Rendering
import SQL
import SQLite
import Services
import Storage

/// The parts of `/metrics`. `docs/operations.md` describes each metric for operators.
extension MetricsPage {
  /// A page with the metrics of all parts of a server but its listener, which does not exist yet.
  convenience init(_ parts: SharedParts, _ renditions: Renditions, _ backups: Backups?) {
    let resources = parts.resources
    self.init()
    addProcess()
    add(parts.cache, resources.log)
    add(resources.throttle)
    add(parts.bell)
    add(resources.pool)
    add(renditions)
    add(resources.database, in: resources.folder)
    addTotals(of: resources.database.any, parts.limits)
    add(backups)
  }

  /// Adds the metrics of this build and of the process. Call it when the server starts.
  func addProcess() {
    let started = Date().timeIntervalSince1970
    add { text in
      text.describe("mememe_build_info", .gauge, "Build information in labels; always 1.")
      text.sample(
        "mememe_build_info",
        [
          ("version", Version.current), ("sqlite", SQLiteDatabase.version),
          ("libvips", DrawingHelper.libraryVersion),
        ], 1)
      let figures = ProcessFigures()
      text.gauge("process_start_time_seconds", "Process start time in seconds since 1970.", started)
      text.counter(
        "process_cpu_seconds_total", "CPU time of all threads, user and system, in seconds.",
        figures.cpuSeconds)
      if let bytes = figures.residentBytes {
        text.gauge("process_resident_memory_bytes", "Resident memory in bytes.", bytes)
      }
      if let bytes = figures.virtualBytes {
        text.gauge("process_virtual_memory_bytes", "Virtual memory in bytes.", bytes)
      }
      if let count = figures.openFiles {
        text.gauge("process_open_fds", "Open file descriptors.", count)
      }
      if let limit = OpenFiles.limit {
        text.gauge("process_max_fds", "Maximum number of open file descriptors.", limit)
      }
    }
  }

  /// Adds the metrics of the response cache and of the log.
  func add(_ cache: ResponseCache, _ log: Log) {
    add { text in
      let statistics = cache.statistics
      text.gauge("mememe_answers_kept", "Responses in the response cache.", statistics.answers)
      text.gauge(
        "mememe_answers_kept_bytes", "Memory used by the response cache.", statistics.bytes)
      text.counter(
        "mememe_answers_from_memory_total", "Requests answered from the response cache.",
        statistics.hits)
      text.counter(
        "mememe_log_lines_lost_total", "Log lines dropped because the reader was too slow.",
        log.lostLines)
    }
  }

  /// Adds the attempts to deliver events.
  func add(_ meter: DeliveryMeter) {
    add { text in
      let name = "mememe_event_deliveries_total"
      text.describe(name, .counter, "Attempts to deliver events to connections.")
      text.sample(name, [("outcome", "delivered")], meter.delivered.value)
      text.sample(name, [("outcome", "failed")], meter.failed.value)
      text.sample(name, [("outcome", "given-up")], meter.givenUp.value)
    }
  }

  /// Adds the requests rejected by rate limits.
  func add(_ throttle: Throttle) {
    add { text in
      let name = "mememe_requests_throttled_total"
      text.describe(name, .counter, "Requests rejected with 429, by limit.")
      for limit in Limit.allCases {
        text.sample(name, [("limit", limit.rawValue)], throttle.refusals(by: limit))
      }
    }
  }

  /// Adds the number of requests that wait for changes of memes.
  func add(_ bell: ChangeBell) {
    add { text in
      text.gauge(
        "mememe_change_waiters", "Requests waiting for changes of memes.", bell.count)
    }
  }

  /// Adds the metrics of picture rendering.
  func add(_ pool: RenderPool) {
    add { text in
      let (meter, load) = (pool.meter, pool.load)
      text.histogram(
        "mememe_render_duration_seconds", "Rendering time, without queueing.", meter.seconds)
      text.counter(
        "mememe_renders_failed_total", "Failed renders.", meter.failed.value)
      text.counter(
        "mememe_renders_refused_total", "Renders rejected because the queue was full.",
        meter.refused.value)
      text.counter(
        "mememe_renders_late_total", "Renders that timed out.", meter.late.value)
      text.gauge("mememe_render_queue_length", "Renders waiting in the queue.", load.waiting)
      text.gauge("mememe_render_workers", "Render workers.", load.workers)
      text.gauge("mememe_render_workers_busy", "Render workers that are busy.", load.busy)
      text.gauge(
        "mememe_preview_pictures_kept_bytes",
        "Memory of the preview cache, which holds downscaled pictures.", pool.shelfBytes)
      text.counter(
        "mememe_previews_from_memory_total", "Previews rendered from the preview cache.",
        meter.previewsFromMemory.value)
      if let memory = pool.memory {
        text.gauge(
          "mememe_render_memory_bytes", "Memory budget for rendering large pictures.",
          memory.capacity)
        text.gauge(
          "mememe_render_memory_claimed_bytes", "Memory claimed by renders of large pictures.",
          memory.claimed)
        text.gauge(
          "mememe_render_memory_waiting", "Renders waiting for memory, each holding a worker.",
          memory.waiting)
      }
      guard let helpers = pool.helpers else { return }
      text.describe(
        "mememe_draw_confinement", .gauge,
        "Whether rendering processes are confined, by layer: 1 if so.")
      for (layer, confinement) in [("calls", Confinement.calls), ("files", .files)] {
        let isThere = helpers.confinement.contains(confinement)
        text.sample("mememe_draw_confinement", [("layer", layer)], isThere ? 1 : 0)
      }
      text.counter(
        "mememe_draw_processes_started_total", "Rendering processes started.",
        helpers.started.value)
      text.describe(
        "mememe_draw_processes_ended_total", .counter,
        "Rendering processes ended, by reason.")
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
        "mememe_derived_found_total", "Renditions served from storage.",
        meter.found.value)
      text.counter(
        "mememe_derived_made_total", "Renditions created.",
        meter.made.value)
      text.counter(
        "mememe_derived_kept_total", "Renditions stored after they were created.",
        meter.kept.value)
    }
  }

  /// Adds the metrics of the database, and of the data folder's disk.
  func add(_ database: ServerDatabase, in folder: DataFolder) {
    switch database {
    case .file(let database): addSQLite(database, in: folder)
    case .shared(let shared): addPostgreSQL(shared)
    }
    add { [path = folder.path] text in
      if let free = FreeDisk.bytes(at: path) {
        text.gauge("mememe_disk_free_bytes", "Free space on the disk of the data folder.", free)
      }
    }
  }

  /// Adds the metrics of the connections to PostgreSQL.
  private func addPostgreSQL(_ shared: SharedDatabase) {
    add { text in
      let (name, load) = ("mememe_postgresql_transactions_running", shared.database.load)
      text.describe(name, .gauge, "Transactions running on PostgreSQL, each on a connection.")
      text.sample(name, [("kind", "read")], load.reads)
      text.sample(name, [("kind", "write")], load.writes)
      text.gauge(
        "mememe_postgresql_transactions_waiting", "Transactions waiting for a connection.",
        load.waiting)
      text.gauge(
        "mememe_postgresql_changes_current",
        "Whether the changes of other servers were read within the last second: 1 if so.",
        shared.changes.isFresh(within: .seconds(1)) ? 1 : 0)
    }
    if let objects = shared.objects { add(objects.store.meter) }
  }

  /// Adds the metrics of requests to the object store.
  private func add(_ meter: S3Meter) {
    add { text in
      let name = "mememe_objects_request_duration_seconds"
      text.describe(name, .histogram, "Time of a request to the object store.")
      for reading in meter.readings {
        text.sample(name, [("operation", reading.operation.rawValue)], reading.seconds)
      }
      let failures = "mememe_objects_failures_total"
      text.describe(
        failures, .counter, "Requests to the object store that failed; some were sent again.")
      for reading in meter.readings {
        text.sample(failures, [("operation", reading.operation.rawValue)], reading.failures.value)
      }
    }
  }

  /// Adds the metrics of SQLite and of its files.
  private func addSQLite(_ database: SQLiteDatabase, in folder: DataFolder) {
    // Captures only the path: the folder stays locked as long as it is referenced.
    add { [file = folder.database] text in
      let meter = database.writer.meter
      text.gauge(
        "mememe_sqlite_transactions_waiting", "Transactions waiting to begin.",
        database.writer.waiting)
      text.counter(
        "mememe_sqlite_transactions_total", "Committed transactions.",
        meter.transactions.value)
      text.counter(
        "mememe_sqlite_commits_total", "Commits; concurrent transactions share one.",
        meter.commitSeconds.count)
      text.histogram(
        "mememe_sqlite_commit_duration_seconds", "Time of a commit, including the sync to disk.",
        meter.commitSeconds)
      text.histogram(
        "mememe_sqlite_checkpoint_duration_seconds",
        "Time of a checkpoint of the write-ahead log.", meter.checkpointSeconds)
      text.describe(
        "mememe_sqlite_wal_held_seconds", .gauge,
        "How long a reader has blocked checkpoints; reported from ten seconds on.")
      if let hold = meter.hold.current {
        text.sample(
          "mememe_sqlite_wal_held_seconds", [("reader", hold.reader)], hold.duration / .seconds(1))
      }
      text.gauge(
        "mememe_sqlite_database_bytes", "Size of the database file.", FileSize.bytes(at: file))
      text.gauge(
        "mememe_sqlite_wal_bytes", "Size of the write-ahead log.",
        FileSize.bytes(at: file + "-wal"))
    }
  }

  /// Adds the numbers and sizes of the stored data.
  private func addTotals(of database: any Database, _ limits: StorageLimits) {
    add { text in
      // If the query fails, the metrics are left out: wrong numbers would be worse.
      guard let totals = try? await StoredTotals(in: database) else { return }
      text.describe("mememe_memes", .gauge, "Memes, visible and in the trash.")
      text.sample("mememe_memes", [("state", "visible")], totals.visible)
      text.sample("mememe_memes", [("state", "deleted")], totals.deleted)
      text.gauge(
        "mememe_picture_bytes", "Bytes of the memes' pictures, including originals.",
        totals.pictureBytes)
      text.gauge(
        "mememe_derived_pictures", "Stored renditions.",
        totals.derived)
      text.gauge("mememe_derived_bytes", "Bytes of stored renditions.", totals.derivedBytes)
      text.gauge("mememe_uploads", "Uploads that have not been purged.", totals.uploads)
      text.gauge("mememe_upload_bytes", "Bytes of uploads.", totals.uploadBytes)
      text.gauge(
        "mememe_unfinished_uploads", "Unfinished resumable uploads.",
        totals.unfinishedUploads)
      text.gauge(
        "mememe_unfinished_upload_bytes", "Bytes of unfinished resumable uploads.",
        totals.unfinishedUploadBytes)
      text.gauge("mememe_templates", "Templates.", totals.templates)
      text.gauge(
        "mememe_template_bytes", "Bytes of templates' pictures and thumbnails.",
        totals.templateBytes)
      let name = "mememe_stored_bytes"
      text.describe(name, .gauge, "Bytes of memes, templates and uploads, by owner.")
      text.sample(name, [("owner", "accounts")], totals.accountBytes)
      text.sample(name, [("owner", "none")], totals.anonymousBytes)
      if let limit = limits.anonymous {
        text.gauge(
          "mememe_anonymous_bytes_limit", "Storage limit without an account, in bytes.",
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
        "mememe_http_requests_in_flight", "Requests in progress.",
        statistics.runningRequests)
      text.gauge(
        "mememe_http_streams_open", "Open response streams, such as event streams.",
        statistics.openStreams)
      text.gauge(
        "mememe_http_connections_open", "Open connections.", statistics.openConnections)
      text.counter(
        "mememe_http_connections_accepted_total", "Accepted connections.",
        statistics.acceptedConnections)
      text.counter(
        "mememe_http_connections_refused_total", "Connections rejected because of a limit.",
        statistics.refusedConnections)
      let cut = "mememe_http_connections_cut_total"
      text.describe(cut, .counter, "Connections closed by the server, by reason.")
      for reason in CutReason.allCases {
        text.sample(cut, [("reason", reason.name)], statistics.cutConnections[reason] ?? 0)
      }
    }
  }
}
