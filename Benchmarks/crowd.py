"""The users of a large database, with their follows, likes and comments. All data comes from fixed seeds."""

import contextlib
import random
import sqlite3
import time
import unicodedata
from hashlib import sha256

PEOPLE = 10_000
# The user who reads, and the number of people this user follows, of whom half follow back. All others follow a few.
READER, FOLLOWED, FEW_FOLLOWED = 1, 2_000, 20
OTHER = 2
TOKEN = "a-session-of-the-benchmark"
FIRST_NAMES = "Ada Björn Chloé Dmitri Élise Fátima George Hana Inês José Kenji Léa Mei Noor Olga Petr Quinn Rosa Siân Thị".split()
LAST_NAMES = "Andersson Baptiste Chen Díaz Evans Fischer García Hughes Ito Jones Kowalski López Müller Novák Okafor Petrov Rossi Smith Tanaka Wu".split()


def username(person: int) -> str:
    return f"{plain(FIRST_NAMES[person % len(FIRST_NAMES)])}_{person}"


def plain(name: str) -> str:
    """The name in the form in which the server compares names."""
    return "".join(each for each in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(each))


def fill_people(db: sqlite3.Connection) -> None:
    source = random.Random(3)
    people, words = [], []
    for person in range(1, PEOPLE + 1):
        last = LAST_NAMES[source.randrange(len(LAST_NAMES))]
        first = FIRST_NAMES[person % len(FIRST_NAMES)]
        people.append((person, source.randbytes(16), username(person), f"{person}@example.org", f"{first} {last}"))
        words += [(0, username(person), person), (1, plain(first), person), (1, plain(last), person)]
    follows = {(READER, person) for person in source.sample(range(2, PEOPLE + 1), FOLLOWED)}
    follows |= {(person, READER) for _, person in sorted(follows)[::2]}
    for person in range(2, PEOPLE + 1):
        follows |= {(person, other) for other in source.sample(range(2, PEOPLE + 1), FEW_FOLLOWED) if other != person}
    db.execute("BEGIN")
    db.executemany(
        "INSERT INTO users (seq, id, username, email, display_name, password, password_changed_at, created_at)"
        " VALUES (?, ?, ?, ?, ?, '$', 0, 0)", people)
    db.executemany("INSERT INTO user_words (kind, word, user) VALUES (?, ?, ?)", words)
    with without_triggers(db, "follows"):
        db.executemany(
            "INSERT INTO follows (follower, followed, created_at) VALUES (?, ?, 0)", source.sample(sorted(follows), len(follows)))
        for column, side in (("following", "follower"), ("followers", "followed")):
            count(db, "users", column, "follows", side)
    db.execute("COMMIT")


@contextlib.contextmanager
def without_triggers(db: sqlite3.Connection, *tables: str):
    """Drops the triggers of the tables during a bulk insert. The caller then updates all counts at once."""
    triggers = db.execute(
        f"SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN ({', '.join('?' * len(tables))})",
        tables).fetchall()
    for name, _ in triggers:
        db.execute(f"DROP TRIGGER {name}")
    yield
    for _, sql in triggers:
        db.execute(sql)


def count(db: sqlite3.Connection, table: str, column: str, rows: str, reference: str) -> None:
    db.execute(
        f"UPDATE {table} SET {column} = counted.number FROM"
        f" (SELECT {reference} AS seq, count(*) AS number FROM {rows} GROUP BY 1) AS counted WHERE {table}.seq = counted.seq")


def owner(source: random.Random) -> tuple[int | None, int]:
    """The author and the visibility of a meme: a tenth is anonymous, a tenth for friends and a twentieth private."""
    if source.random() < 0.1:
        return None, 0
    return source.randrange(1, PEOPLE + 1), source.choices((0, 1, 2), (17, 2, 1))[0]


def fill_reactions(db: sqlite3.Connection, memes: int) -> None:
    """One like per meme on average, most of them on few memes, and half as many comments."""
    source = random.Random(4)
    likes = {(source.randrange(1, PEOPLE + 1), 1 + int(memes * source.random() ** 3)) for _ in range(memes)}
    comments = [
        (source.randbytes(16), 1 + int(memes * source.random() ** 2), source.randrange(1, PEOPLE + 1), number,
         "such meme, very wow") for number in range(memes // 2)]
    db.execute("BEGIN")
    with without_triggers(db, "likes", "comments"):
        db.executemany("INSERT INTO likes (user, meme, created_at) VALUES (?, ?, 0)", sorted(likes))
        db.executemany("INSERT INTO comments (id, meme, user, created_at, text) VALUES (?, ?, ?, ?, ?)", comments)
        for table, column in (("likes", "like_count"), ("comments", "comment_count")):
            count(db, "memes", column, table, "meme")
            db.execute(f"UPDATE totals SET {table} = (SELECT count(*) FROM {table})")
    db.execute("COMMIT")


def sign_in(database, person: int) -> str:
    """Signs a user in.

    Returns the token of the session."""
    now, token = int(time.time() * 1000), f"{TOKEN}-{person}"
    with contextlib.closing(sqlite3.connect(database)) as db, db:
        db.execute("INSERT OR REPLACE INTO sessions (token, id, user, created_at, last_used_at) VALUES (?, ?, ?, ?, ?)",
                   (sha256(token.encode()).digest(), person.to_bytes(16), person, now, now))
    return token
