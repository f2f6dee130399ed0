#!/usr/bin/env python3
"""Several connections write the same few memes and accounts on PostgreSQL at once. Then all counters must be right.

Reports how many transactions failed, by SQLSTATE: 40P01 is a deadlock. With --without-locks, the statements do not lock the
accounts first, as they must: then deadlocks are expected.
"""

import argparse
import collections
import os
import random
import sys
import threading
import time

import psycopg

from parity import LAST_CHANGE, LAST_NOTIFIED, base, open_pg

PEOPLE, MEMES = 8, 12
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
parser.add_argument("--base", nargs="+", default=base(root))
parser.add_argument("--host", required=True)
parser.add_argument("--seconds", type=float, default=6)
parser.add_argument("--writers", type=int, default=6)
parser.add_argument("--without-locks", action="store_true")
options = parser.parse_args()
done, failed = collections.Counter(), collections.Counter()
seen = []  # Numbers of changes that a reader missed.


def lock(pg, *people):
    """What the helpers of the server do: accounts first, in the order of their numbers."""
    if not options.without_locks:
        pg.execute("SELECT 1 FROM users WHERE seq = ANY(%s::bigint[]) ORDER BY seq FOR NO KEY UPDATE", (list(people),))


def authors(pg, table, person):
    rows = pg.execute(
        f'SELECT DISTINCT author FROM memes WHERE seq IN (SELECT meme FROM {table} WHERE "user" = %s) AND author IS NOT NULL',
        (person,))
    return [row[0] for row in rows]


class Writer(threading.Thread):
    def __init__(self, number, end):
        super().__init__()
        self.random, self.end = random.Random(number), end

    def run(self):
        with psycopg.connect(host=options.host, user="postgres", dbname="stress", autocommit=True) as pg:
            names = ["like"] * 6 + ["unlike"] * 3 + ["comment"] * 3 + ["uncomment"] * 2 + ["follow"] * 4 + ["unfollow"] * 3 \
                + ["favorite"] * 2 + ["edit"] * 4 + ["trash"] * 2 + ["restore"] * 2 + ["make"] + ["read"] * 2 + ["withdraw"] \
                + ["settings"] + ["fold"]
            while time.monotonic() < self.end:
                name = self.random.choice(names)
                try:
                    with pg.transaction():
                        getattr(self, name)(pg)
                    done[name] += 1
                except psycopg.Error as error:
                    failed[f"{name} {error.sqlstate}"] += 1

    def person(self):
        return self.random.randint(1, PEOPLE)

    def meme(self, pg):
        seq = self.random.randint(1, MEMES)
        row = pg.execute("SELECT author FROM memes WHERE seq = %s", (seq,)).fetchone()
        return seq, row[0]

    def like(self, pg):
        seq, author = self.meme(pg)
        lock(pg, author)
        pg.execute(
            'INSERT INTO likes ("user", meme, created_at) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING',
            (self.person(), seq, int(time.time() * 1000)))

    def favorite(self, pg):
        seq, _ = self.meme(pg)
        pg.execute(
            'INSERT INTO favorites ("user", meme, created_at) VALUES (%s, %s, 1) ON CONFLICT DO NOTHING',
            (self.person(), seq))

    def unlike(self, pg):
        seq, author = self.meme(pg)
        lock(pg, author)
        pg.execute('DELETE FROM likes WHERE "user" = %s AND meme = %s', (self.person(), seq))

    def comment(self, pg):
        seq, author = self.meme(pg)
        lock(pg, author)
        pg.execute(
            'INSERT INTO comments (id, meme, "user", created_at, text) VALUES (uuid_send(gen_random_uuid()), %s, %s, 1, %s)',
            (seq, self.person(), "x"))

    def uncomment(self, pg):
        seq, author = self.meme(pg)
        lock(pg, author)
        pg.execute(
            """
            UPDATE comments SET deleted_at = 1, text = '' WHERE seq =
              (SELECT seq FROM comments WHERE meme = %s AND deleted_at IS NULL ORDER BY seq LIMIT 1)
            """, (seq,))

    def follow(self, pg):
        one, other = self.person(), self.person()
        lock(pg, one, other)
        if one != other and not pg.execute(
                "SELECT 1 FROM follows WHERE follower = %s AND followed = %s", (one, other)).fetchone():
            pg.execute("INSERT INTO follows (follower, followed, created_at) VALUES (%s, %s, 1)", (one, other))

    def unfollow(self, pg):
        one, other = self.person(), self.person()
        lock(pg, one, other)
        pg.execute("DELETE FROM follows WHERE follower = %s AND followed = %s", (one, other))

    def edit(self, pg):
        seq, author = self.meme(pg)
        lock(pg, author)
        pg.execute("UPDATE memes SET version = version + 1, top = 'x' WHERE seq = %s", (seq,))

    def trash(self, pg):
        seq, author = self.meme(pg)
        lock(pg, author)
        pg.execute("UPDATE memes SET deleted_at = 1 WHERE seq = %s AND deleted_at IS NULL", (seq,))

    def restore(self, pg):
        seq, author = self.meme(pg)
        lock(pg, author)
        pg.execute("UPDATE memes SET deleted_at = NULL WHERE seq = %s", (seq,))

    def make(self, pg):
        make(pg, self.person())

    def read(self, pg):
        person = self.person()
        lock(pg, person)
        pg.execute('UPDATE notifications SET is_read = TRUE WHERE "user" = %s AND NOT is_read', (person,))

    def withdraw(self, pg):
        person = self.person()
        lock(pg, *authors(pg, "likes", person), *authors(pg, "comments", person))
        for table in ("likes", "comments"):
            pg.execute(
                f'DELETE FROM {table} WHERE seq IN (SELECT seq FROM {table} WHERE "user" = %s ORDER BY meme, seq LIMIT 3)',
                (person,))

    def settings(self, pg):
        person = self.person()
        lock(pg, person)
        on = self.random.random() < 0.8
        pg.execute(
            """
            INSERT INTO settings ("user", version, theme, text_scale, reduced_motion, high_contrast, visibility, notify_likes,
              notify_comments, notify_follows)
            VALUES (%s, 1, 'dark', 1, FALSE, FALSE, 'public', %s, TRUE, TRUE)
            ON CONFLICT ("user") DO UPDATE SET version = settings.version + 1, notify_likes = excluded.notify_likes
            """, (person, on))

    def fold(self, pg):
        pg.execute("SELECT fold_totals()")


def make(pg, author):
    seq = pg.execute(
        """
        INSERT INTO memes (id, version, created_at, updated_at, top, bottom, alt_text, fill, outline, outline_width, size, fit,
          draft_digest, author)
        VALUES (uuid_send(gen_random_uuid()), 1, 1, 1, '', '', '', 0, 0, 0.1, 0.1, '[]', sha256(''), %s) RETURNING seq
        """, (author,)).fetchone()[0]
    for role in range(4):
        blob = pg.execute("INSERT INTO blobs (bytes) VALUES ('x') RETURNING id").fetchone()[0]
        pg.execute(
            """
            INSERT INTO pictures (meme, role, format, width, height, byte_count, digest, blob)
            VALUES (%s, %s, 'png', 1, 1, 7, sha256(''), %s)
            """, (seq, role, blob))


class Reader(threading.Thread):
    """Follows the changes of each account by their numbers, as a client does. It must miss none."""

    def __init__(self, end):
        super().__init__()
        self.end = end
        self.states = collections.defaultdict(dict)

    def run(self):
        last = collections.Counter()
        with psycopg.connect(host=options.host, user="postgres", dbname="stress", autocommit=True) as pg:
            while True:
                is_over = time.monotonic() > self.end + 0.5
                for person in range(1, PEOPLE + 1):
                    rows = pg.execute(
                        "SELECT number, meme, deleted_at FROM changes WHERE author = %s AND number > %s ORDER BY number",
                        (person, last[person]))
                    for number, meme, deleted in rows:
                        last[person] = number
                        self.states[person][meme] = (number, deleted)
                if is_over:
                    break
            for author, number, meme, deleted in pg.execute("SELECT author, number, meme, deleted_at FROM changes"):
                if self.states[author].get(meme) != (number, deleted):
                    seen.append((author, number))


def main():
    pg = open_pg(options.host, "stress", options.base)
    for number in range(1, PEOPLE + 1):
        pg.execute(
            """
            INSERT INTO users (id, username, email, password, password_changed_at, created_at)
            VALUES (uuid_send(gen_random_uuid()), %s, %s, '', 1, 1)
            """, (f"user{number}", f"user{number}@example.org"))
    for number in range(MEMES):
        make(pg, number % PEOPLE + 1)
    end = time.monotonic() + options.seconds
    threads = [Writer(number, end) for number in range(options.writers)] + [Reader(end)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pg.execute("SELECT fold_totals()")
    wrong = []
    for table, column, expression in (
            ("memes", "like_count", "(SELECT count(*) FROM likes WHERE meme = memes.seq)"),
            ("memes", "favorite_count", "(SELECT count(*) FROM favorites WHERE meme = memes.seq)"),
            ("memes", "comment_count", "(SELECT count(*) FROM comments WHERE meme = memes.seq AND deleted_at IS NULL)"),
            ("users", "followers", "(SELECT count(*) FROM follows WHERE followed = users.seq)"),
            ("users", "following", "(SELECT count(*) FROM follows WHERE follower = users.seq)"),
            ("users", "public_memes", "(SELECT count(*) FROM memes WHERE author = users.seq AND deleted_at IS NULL)"),
            ("users", "stored_bytes", "(SELECT sum(byte_count) FROM pictures JOIN memes ON seq = meme WHERE author = users.seq)"),
            ("users", "last_change", LAST_CHANGE), ("users", "last_notified", LAST_NOTIFIED),
            ("totals", "likes", "(SELECT count(*) FROM likes)"),
            ("totals", "comments", "(SELECT count(*) FROM comments WHERE deleted_at IS NULL)"),
            ("totals", "visible", "(SELECT count(*) FROM memes WHERE deleted_at IS NULL)"),
            ("totals", "picture_bytes", "(SELECT sum(byte_count) FROM pictures)"),
            ("upload_days", "memes", "(SELECT count(*) FROM memes)"),
            # The unread notification of likes counts exactly its events.
            ("notifications", "count", """
              (CASE kind WHEN 0 THEN
                (SELECT count(*) FROM likes WHERE meme = notifications.meme AND "user" <> notifications."user"
                  AND seq BETWEEN first_event AND last_event)
              WHEN 1 THEN
                (SELECT count(*) FROM comments WHERE meme = notifications.meme AND "user" <> notifications."user"
                  AND deleted_at IS NULL AND seq BETWEEN first_event AND last_event)
              ELSE (SELECT count(*) FROM follows WHERE followed = notifications."user"
                  AND seq BETWEEN first_event AND last_event) END)
            """)):
        count = pg.execute(
            f"SELECT count(*) FROM {table} WHERE {column} IS DISTINCT FROM {expression}").fetchone()[0]
        if count:
            wrong.append(f"{table}.{column}: {count} of {pg.execute(f'SELECT count(*) FROM {table}').fetchone()[0]}")
    print(f"{sum(done.values())} transactions in {options.seconds} s: {dict(done)}")
    print(f"failed: {dict(failed) or 'none'}")
    print(f"wrong counters: {wrong or 'none'}; changes that a reader missed: {len(seen)}")
    return 1 if wrong or seen else 0


if __name__ == "__main__":
    sys.exit(main())
