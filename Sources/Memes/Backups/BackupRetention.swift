/// The retention rule of backups. For each of the last days and weeks that have a backup, it keeps the newest scheduled
/// one, else the newest manual one. It also keeps the last manual backups. A manual backup that is made after a mistake
/// must not remove the one from before it, scheduled or manual.
///
/// Days and weeks are in UTC; a week begins on Monday. Days and weeks without a backup do not count, so no backup is
/// removed because the server was not running. The newest backup of all is always kept.
package struct BackupRetention: Sendable, Equatable {
  package let days: Int
  package let weeks: Int
  package let manual: Int

  package init(days: Int, weeks: Int, manual: Int) {
    (self.days, self.weeks, self.manual) = (days, weeks, manual)
  }

  /// The backups to remove, oldest first.
  package func surplus(of backups: [Backup]) -> [Backup] {
    let newestFirst = backups.sorted { $0.takenAt > $1.takenAt }
    let lastFirst = backups.sorted { $1.isOlder(than: $0) }
    let kept =
      Self.newest(of: newestFirst, days) { $0.takenAt.daysSince1970 }
      .union(Self.newest(of: newestFirst, weeks) { $0.takenAt.week })
      .union(lastFirst.prefix(1).map(\.id))
      .union(lastFirst.filter(\.isManual).prefix(manual).map(\.id))
    return newestFirst.reversed().filter { !kept.contains($0.id) }
  }

  /// The newest scheduled backup of each of the first `count` periods, else the newest manual one.
  private static func newest(
    of newestFirst: [Backup], _ count: Int, _ period: (Backup) -> Int64
  ) -> Set<BackupID> {
    var (kept, last): ([Backup], Int64?) = ([], nil)
    for backup in newestFirst {
      if period(backup) != last {
        guard kept.count < count else { break }
        kept.append(backup)
        last = period(backup)
      } else if kept.last?.isManual == true, !backup.isManual {
        kept[kept.count - 1] = backup
      }
    }
    return Set(kept.map(\.id))
  }
}

extension Timestamp {
  /// The number of weeks since the week of 1 January 1970, which was a Thursday.
  fileprivate var week: Int64 { (daysSince1970 + 3).flooredDivision(by: 7).quotient }
}
