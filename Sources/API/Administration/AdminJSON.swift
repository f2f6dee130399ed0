import HTTP
import Memes
import Metrics

/// Writes what admins see: audit records and statistics.
enum AdminJSON {
  static func write(_ record: AuditRecord, to json: inout JSONWriter) {
    json.object { json in
      json.member("at", record.at.description)
      json.object("actor") { json in
        json.member("kind", record.actor)
        json.member("username", record.username)
      }
      json.member("act", record.act)
      json.member("subject", record.subject)
      json.name("details")
      json.document(record.details)
      json.member("requestId", record.request)
    }
  }

  static func write(_ figures: Overview.Figures, to json: inout JSONWriter) {
    let statistics = figures.statistics
    json.object { json in
      json.member("memes", statistics.memes)
      json.member("deletedMemes", statistics.deletedMemes)
      json.member("people", statistics.people)
      json.member("suspended", statistics.suspended)
      json.member("sessions", statistics.sessions)
      json.member("openReports", statistics.openReports)
      json.member("likes", statistics.likes)
      json.member("comments", statistics.comments)
      json.object("bytes") { json in
        json.member("originals", statistics.bytes.originals)
        json.member("images", statistics.bytes.images)
        json.member("thumbnails", statistics.bytes.thumbnails)
        json.member("derived", statistics.bytes.derived)
        json.member("database", figures.databaseBytes)
        json.member("free", figures.freeBytes)
      }
      json.array("uploadsPerDay") { json in
        for day in statistics.uploads {
          json.object { json in
            json.member("date", String(day.start.description.prefix(10)))
            json.member("count", day.count)
          }
        }
      }
      json.object("renders") { json in
        json.member("count", figures.renders.count)
        json.member("p50Seconds", figures.renders.quantile(0.5))
        json.member("p95Seconds", figures.renders.quantile(0.95))
        if let confinement = figures.confinement {
          json.object("confinement") { json in
            json.member("calls", confinement.calls)
            json.member("files", confinement.files)
          }
        } else {
          json.null("confinement")
        }
        json.array("ranges") { json in
          // The last range has no upper bound.
          let bounds = figures.renders.bounds.map { $0 as Double? } + [nil]
          for (bound, count) in zip(bounds, figures.renders.counts) {
            json.object { json in
              json.member("upToSeconds", bound)
              json.member("count", count)
            }
          }
        }
      }
    }
  }
}
