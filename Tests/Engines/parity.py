#!/usr/bin/env python3
"""Compares the two schemas of MemeMe: the SQLite migrations with 0027, and postgres/0027_base.sql.

First compares tables, columns, keys, indexes, references and triggers. Then plays a random sequence of the server's
writes on both engines, with the same numbers, and compares all rows. A statement that fails on one engine must fail on
the other for the same reason.

Usage: parity.py --migrations FOLDER --numbers 0027_….sql --base 0027_base.sql 0047_….sql 0050_….sql [--seed N] [--steps N] [--before N]

With --before, the first steps run on SQLite alone, before 0027. Then 0027 migrates the rows, its result is checked, and
all rows are copied to PostgreSQL, as a move between the engines would do.
"""

import argparse
import collections
import glob
import hashlib
import os
import random
import re
import sqlite3
import sys

import psycopg

DAY = 86_400_000

# Columns that are boolean on PostgreSQL. The server reads and writes them as Bool.
BOOLEANS = {
    ("settings", "reduced_motion"), ("settings", "high_contrast"), ("settings", "notify_likes"),
    ("settings", "notify_comments"), ("settings", "notify_follows"), ("memes", "deleted_by_admin"),
    ("memes", "is_private_only"), ("notifications", "is_read"),
}
# Keys that SQLite or PostgreSQL chooses. The other INTEGER PRIMARY KEYs are always given.
IDENTITIES = {
    "users", "blobs", "memes", "uploads", "unfinished_uploads", "upload_pieces", "templates", "retries", "follows",
    "blocks", "likes", "favorites", "comments", "audit", "reports",
}
# SQLite generates this column. Triggers of PostgreSQL compute it.
COMPUTED = ("memes", "popularity")
# What only PostgreSQL has.
EXTRA_TRIGGERS = {"popularity_of_new", "popularity_of_old"}
EXTRA_TABLES = {"meme_words", "totals_changes", "upload_days_changes", "happened", "buckets", "servers"}
EXTRA_VIEWS = {"totals_now", "upload_days_now"}
EXTRA_INDEXES = {"users_email", "meme_words_of_author", "meme_words_of_meme", "happened_since", "buckets_full"}


# --- The engines -----------------------------------------------------------------------------------------------------


def open_lite(path):
    if path != ":memory:" and os.path.exists(path):
        os.remove(path)
    lite = sqlite3.connect(path, isolation_level=None)
    lite.execute("PRAGMA foreign_keys = ON")
    lite.execute("PRAGMA trusted_schema = OFF")
    lite.execute("PRAGMA synchronous = OFF")
    return lite


def migrate(lite, files):
    for file in files:
        with open(file) as script:
            lite.executescript("BEGIN;" + script.read() + "\nCOMMIT;")


def base(root):
    """PostgreSQL's schema, and later migrations that change only triggers."""
    names = ("0027_base", "0047_pictures_together", "0050_popularity")
    return [f"{root}/migrations/postgres/{name}.sql" for name in names]


def open_pg(host, name, base):
    with psycopg.connect(host=host, user="postgres", dbname="postgres", autocommit=True) as admin:
        admin.execute(f'DROP DATABASE IF EXISTS "{name}"')
        admin.execute(f"CREATE DATABASE \"{name}\" TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C' ENCODING 'UTF8'")
    pg = psycopg.connect(host=host, user="postgres", dbname=name, autocommit=True)
    for path in base:
        with open(path) as script:
            pg.execute("BEGIN;" + script.read() + "\nCOMMIT;")
    return pg


# --- The schemas -----------------------------------------------------------------------------------------------------


def plain(text):
    """An expression or a predicate without the differences of the engines' own formatting."""
    text = re.sub(r"--[^\n]*", "", text)
    text = re.sub(r"::(text|bigint|integer|bytea|smallint)", "", text)
    text = text.replace('"', "").replace("(", " ").replace(")", " ").replace(",", " , ")
    return " ".join(text.lower().split())


def lite_tables(lite):
    return [
        name for (name,) in lite.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        if not name.startswith(("sqlite_", "meme_words"))
    ]


def lite_checks(table, sql, columns, pg):
    """SQLite's checks, as PostgreSQL writes them."""
    kinds = {name: kind for name, kind, *_ in columns}
    sql = re.sub(r"--[^\n]*", "", sql)
    checks = []
    for match in re.finditer(r"\bCHECK \(", sql):
        depth, end = 0, match.end() - 1
        while True:
            depth += {"(": 1, ")": -1}.get(sql[end], 0)
            if depth == 0:
                break
            end += 1
        text = sql[match.end():end]
        named = re.fullmatch(r"(\w+) IN \(0, 1\)", text)
        if named and (table, named[1]) in BOOLEANS:
            continue  # The type says it.
        text = text.replace("0xFFFFFF", str(0xFFFFFF))
        text = re.sub(
            r"length\((\w+)\)", lambda m: f"octet_length({m[1]})" if kinds[m[1]] == "bytea" else m[0], text)
        text = text.replace(
            "deleted_by_admin = 0 OR deleted_by_admin = 1 AND deleted_at IS NOT NULL",
            "NOT deleted_by_admin OR deleted_at IS NOT NULL")
        pg.execute("BEGIN")
        pg.execute(f"ALTER TABLE {table} ADD CONSTRAINT theirs CHECK ({text})")
        checks.append(pg.execute(
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'theirs'").fetchone()[0])
        pg.execute("ROLLBACK")
    return checks


def lite_schema(lite, pg):
    """Everything that is compared, by a name for the report."""
    schema = {}
    for table in lite_tables(lite):
        (sql,) = lite.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
        columns, key = [], []
        for _, name, kind, notnull, default, pk, hidden in lite.execute(f"PRAGMA table_xinfo({table})"):
            kind = {"INTEGER": "bigint", "TEXT": "text", "BLOB": "bytea", "REAL": "double precision"}[kind]
            if (table, name) in BOOLEANS:
                kind, default = "boolean", None if default is None else "false"
            columns.append((name, kind, bool(notnull or pk), default, hidden == 2))
            if pk:
                key.append((pk, name))
        schema[f"columns of {table}"] = columns
        schema[f"primary key of {table}"] = [name for _, name in sorted(key)]
        uniques = set()
        for _, index, unique, origin, partial in lite.execute(f"PRAGMA index_list({table})").fetchall():
            parts = [
                (name, bool(desc), collation)
                for _, cid, name, desc, collation, is_key in lite.execute(f"PRAGMA index_xinfo({index})") if is_key
            ]
            if origin == "u":
                uniques.add(tuple(name for name, _, _ in parts))
            if origin == "c":
                (text,) = lite.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (index,)).fetchone()
                body = text[text.index("(") + 1:]
                where = re.search(r"\)\s*WHERE\s+(.*)$", body, re.S)
                list_text = body[:where.start()] if where else body[:body.rindex(")")]
                names = [plain(part) for part in re.split(r",(?![^(]*\))", list_text)]
                assert len(names) == len(parts) and not any(desc for _, desc, _ in parts), index
                schema[f"index {index}"] = (
                    table, bool(unique), names, plain(where.group(1)) if where else None)
        uniques.discard(("email",))
        schema[f"unique constraints of {table}"] = sorted(uniques)
        schema[f"references of {table}"] = sorted(
            (column, parent, to, on_delete, on_update)
            for _, _, parent, column, to, on_update, on_delete, _ in lite.execute(f"PRAGMA foreign_key_list({table})"))
        schema[f"checks of {table}"] = sorted(lite_checks(table, sql, columns, pg))
    for name, on, sql in lite.execute("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'"):
        match = re.match(r"CREATE TRIGGER \w+ (AFTER|INSTEAD OF) (INSERT|DELETE|UPDATE)(?: OF ([\w, ]+))? ON (\w+)", sql)
        columns = sorted(part.strip() for part in (match.group(3) or "").split(",") if part)
        schema[f"trigger {name}"] = (match.group(4), match.group(1), match.group(2), columns)
    for (name,) in lite.execute("SELECT name FROM sqlite_schema WHERE type = 'view'").fetchall():
        schema[f"view {name}"] = [row[1] for row in lite.execute(f"PRAGMA table_info({name})")]
    return schema


def pg_schema(pg):
    schema, oids = {}, {}
    for oid, table in pg.execute(
            "SELECT oid, relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"):
        oids[oid] = table
    for oid, table in oids.items():
        if table in EXTRA_TABLES:
            continue
        columns, identities, collations = [], [], set()
        for name, kind, notnull, default, identity, collation in pg.execute(
                """
                SELECT attname, format_type(atttypid, NULL), attnotnull, pg_get_expr(adbin, adrelid), attidentity, collname
                FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
                LEFT JOIN pg_collation ON pg_collation.oid = attcollation
                WHERE attrelid = %s AND attnum > 0 AND NOT attisdropped ORDER BY attnum
                """, (oid,)):
            if default is not None:
                default = default.replace("::text", "")
            columns.append((name, kind, notnull, default, (table, name) == COMPUTED))
            if identity == "d":
                identities.append(name)
            if kind == "text":
                collations.add(collation)
        schema[f"columns of {table}"] = columns
        assert (table in IDENTITIES) == bool(identities), (table, identities)
        assert collations <= {"C"}, (table, collations)
        names = {number: name for number, name in pg.execute(
            "SELECT attnum, attname FROM pg_attribute WHERE attrelid = %s", (oid,))}
        uniques, references, checks = [], [], []
        for kind, keys, parent, parent_keys, deleted, updated, text in pg.execute(
                """
                SELECT contype::text, conkey, confrelid, confkey, confdeltype::text, confupdtype::text,
                  pg_get_constraintdef(oid)
                FROM pg_constraint WHERE conrelid = %s
                """, (oid,)):
            keys = [names[key] for key in keys or []]
            action = {"a": "NO ACTION", "c": "CASCADE", "n": "SET NULL"}
            if kind == "p":
                schema[f"primary key of {table}"] = keys
            if kind == "u":
                uniques.append(tuple(keys))
            if kind == "f":
                (to,) = pg.execute(
                    "SELECT attname FROM pg_attribute WHERE attrelid = %s AND attnum = %s",
                    (parent, parent_keys[0])).fetchone()
                references.append((keys[0], oids[parent], to, action[deleted], action[updated]))
            if kind == "c":
                checks.append(text)
        schema[f"unique constraints of {table}"] = sorted(uniques)
        schema[f"references of {table}"] = sorted(references)
        schema[f"checks of {table}"] = sorted(checks)
    for index, oid, unique, predicate, count in pg.execute(
            """
            SELECT indexrelid::regclass::text, indrelid, indisunique, pg_get_expr(indpred, indrelid), indnkeyatts
            FROM pg_index LEFT JOIN pg_constraint ON conindid = indexrelid AND contype IN ('p', 'u')
            WHERE pg_constraint.oid IS NULL AND indrelid IN (SELECT oid FROM pg_class
              WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace)
            """).fetchall():
        names = [
            plain(pg.execute("SELECT pg_get_indexdef(%s::regclass, %s, TRUE)", (index, place)).fetchone()[0])
            for place in range(1, count + 1)
        ]
        if index not in EXTRA_INDEXES:
            schema[f"index {index}"] = (oids[oid], unique, names, plain(predicate) if predicate else None)
    for name, oid, on, kind, columns in pg.execute(
            """
            SELECT tgname, tgrelid, tgrelid::regclass::text, tgtype::int, tgattr::int2[]
            FROM pg_trigger WHERE NOT tgisinternal
            """).fetchall():
        if name in EXTRA_TRIGGERS:
            continue
        timing = "INSTEAD OF" if kind & 64 else "BEFORE" if kind & 2 else "AFTER"
        event = {4: "INSERT", 8: "DELETE", 16: "UPDATE"}[kind & 28]
        # Those of pictures count all rows of a statement.
        assert kind & 1 or on == "pictures", f"{name} is not for each row"
        columns = sorted(
            pg.execute("SELECT attname FROM pg_attribute WHERE attrelid = %s AND attnum = %s", (oid, column)).fetchone()[0]
            for column in columns)
        schema[f"trigger {name}"] = (on, timing, event, columns)
    for (name,) in pg.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace").fetchall():
        if name not in EXTRA_VIEWS:
            schema[f"view {name}"] = [column for (column,) in pg.execute(
                "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 ORDER BY attnum", (name,))]
    return schema


def compare_schemas(lite, pg):
    """Returns the number of compared things, and the differences."""
    ours, theirs = lite_schema(lite, pg), pg_schema(pg)
    differences = []
    for name in sorted(ours.keys() | theirs.keys()):
        one, other = ours.get(name), theirs.get(name)
        if name.startswith("index ") and one and other and len(other[2]) > len(one[2]):
            # SQLite ends each index with the primary key.
            key = ours[f"primary key of {one[0]}"]
            if other[2][len(one[2]):] == key:
                other = (other[0], other[1], one[2], other[3])
        if one != other:
            differences.append(f"{name}:\n  SQLite     {one}\n  PostgreSQL {other}")
    return len(ours.keys() | theirs.keys()), differences


# --- Statements on both engines --------------------------------------------------------------------------------------


class Failed(Exception):
    """A statement failed on both engines, for the same reason."""


class Different(Exception):
    """The engines differ."""


LITE_KINDS = {
    "SQLITE_CONSTRAINT_UNIQUE": "unique", "SQLITE_CONSTRAINT_PRIMARYKEY": "unique", "SQLITE_CONSTRAINT_ROWID": "unique",
    "SQLITE_CONSTRAINT_CHECK": "check", "SQLITE_CONSTRAINT_NOTNULL": "not null",
    "SQLITE_CONSTRAINT_FOREIGNKEY": "reference",
}
PG_KINDS = {"23505": "unique", "23514": "check", "23502": "not null", "23503": "reference"}


def normal(value):
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, memoryview):
        return bytes(value)
    if isinstance(value, (int, str, bytes, float)) or value is None:
        return value
    return int(value)  # The sum of bigints is a Decimal.


def order(row):
    return tuple((value is not None, str(type(value)), value if value is not None else 0) for value in row)


class Engines:
    def __init__(self, lite, pg):
        self.lite, self.pg = lite, pg
        self.statements = self.failures = 0
        self.kinds = collections.Counter()
        self.texts = {}

    def q(self, sql, values=None, lite=None, pg=None):
        """Runs a statement on both engines and returns SQLite's rows.

        `greatest` stands for SQLite's `max` with two arguments. `lite` and `pg` replace the text for one engine.
        """
        values = values or {}
        self.statements += 1
        ours = theirs = None
        text = (lite or sql).replace("greatest(", "max(")
        try:
            cursor = self.lite.execute(text, values)
            rows = cursor.fetchall()
            count = cursor.rowcount
        except sqlite3.IntegrityError as error:
            ours = LITE_KINDS.get(error.sqlite_errorname, error.sqlite_errorname)
        if self.pg is not None:
            try:
                other = self.pg_run(pg or sql, values)
                their_rows = sorted(
                    (tuple(normal(value) for value in row) for row in other.fetchall()), key=order
                ) if other.description else []
                their_count = other.rowcount
            except psycopg.IntegrityError as error:
                theirs = PG_KINDS.get(error.sqlstate, error.sqlstate)
                their_text = str(error)
            if ours != theirs:
                raise Different(f"{text}\n{values}\nSQLite: {ours}, PostgreSQL: {theirs}")
        if ours:
            self.failures += 1
            self.kinds[ours] += 1
            raise Failed(ours)
        if self.pg is not None:
            if sorted(rows, key=order) != their_rows:
                raise Different(f"{text}\n{values}\nSQLite: {rows}\nPostgreSQL: {their_rows}")
            if not rows and text.lstrip()[:6].upper() in ("INSERT", "UPDATE", "DELETE") and count != their_count \
                    and lite is None and pg is None:
                raise Different(f"{text}\n{values}\nSQLite: {count} rows, PostgreSQL: {their_count}")
        return rows

    def pg_run(self, sql, values):
        text = self.texts.get(sql)
        if text is None:
            text = re.sub(r"(?<![:\w]):([a-z_]\w*)", r"%(\1)s", sql.replace("%", "%%"))
            self.texts[sql] = text
        return self.pg.execute(text, values)

    def on_both(self, word):
        self.lite.execute(word)
        if self.pg is not None:
            self.pg.execute(word)


# --- The server's writes ---------------------------------------------------------------------------------------------

WORDS = "cat dog when you finally monday code works again never always boss coffee 猫 été ß zzz".split()
NAMES = "ada bob cleo dan eve finn gus hal ida jon kim leo mia ned oda pia".split()


class World:
    """Plays the writes. Each method is one kind of request, as one transaction."""

    def __init__(self, engines, seed, is_new=True):
        self.db = engines
        self.random = random.Random(seed)
        self.is_new = is_new  # Whether 0027 has run.
        self.now = 1_700_000_000_000
        self.numbers = collections.Counter()
        self.done = collections.Counter()
        self.rejected = collections.Counter()
        self.aligned = 0
        self.log = []

    # Helpers

    def next(self, table):
        self.numbers[table] += self.random.choice((1, 1, 1, 2))
        return self.numbers[table]

    def bytes(self, count):
        return self.random.randbytes(count)

    def chance(self, part):
        return self.random.random() < part

    def look(self, sql, *values):
        return self.db.lite.execute(sql, values).fetchall()

    def pick(self, sql, *values):
        rows = self.look(sql, *values)
        if not rows:
            raise Failed("nothing to pick")
        return self.random.choice(rows)

    def person(self):
        return self.pick("SELECT seq FROM users")[0]

    def meme(self, condition="TRUE"):
        return self.pick(f"SELECT seq, id, author, version, deleted_at FROM memes WHERE {condition}")

    def words(self, least=0):
        return [self.random.choice(WORDS) for _ in range(self.random.randint(least, 4))]

    def facts(self, **more):
        values = {
            "format": self.random.choice(("jpeg", "png")), "width": self.random.randint(1, 900),
            "height": self.random.randint(1, 900), "digest": self.bytes(32),
        }
        values["bytes"] = self.bytes(self.random.randint(0, 60))
        values["byte_count"] = len(values["bytes"])
        values.update(more)
        return values

    def blob(self, content):
        number = self.next("blobs")
        self.db.q("INSERT INTO blobs (id, bytes) VALUES (:id, :bytes)", {"id": number, "bytes": content})
        return number

    def retry(self, made):
        """Most requests that make something have an Idempotency-Key."""
        self.db.q(
            """
            DELETE FROM retries WHERE answered_at <= :expiry
              AND (key = :key OR seq IN (SELECT seq FROM retries ORDER BY seq LIMIT 4))
            """, {"expiry": self.now - DAY, "key": self.bytes(32)})
        if self.chance(0.4):
            self.db.q(
                """
                INSERT INTO retries (seq, key, request, made, answer, answered_at)
                VALUES (:seq, :key, :request, :made, :answer, :at)
                """, {
                    "seq": self.next("retries"), "key": self.bytes(32), "request": self.bytes(32), "made": made,
                    "answer": self.bytes(5), "at": self.now})

    def audit(self, act):
        number = self.next("audit")
        kind = self.random.choice(("token", "person", "command"))
        self.db.q(
            """
            INSERT INTO audit (seq, at, actor, username, act, subject, request, details)
            VALUES (:seq, :at, :actor, :username, :act, NULL, NULL, '{}')
            """, {
                "seq": number, "at": self.now, "actor": kind, "username": "ada" if kind == "person" else None,
                "act": act})
        return number

    def fts(self, sequence, captions, alt, author):
        """The words of a meme: a row of the full-text index, or rows of a table."""
        alt = [] if alt == captions else alt
        self.db.lite.execute(
            "INSERT INTO meme_words (rowid, captions, alt_text, author) VALUES (?, ?, ?, ?)",
            (-sequence, " ".join(captions), " ".join(alt), "" if author is None else str(author)))
        if self.db.pg is not None:
            self.put_words(sequence, captions, alt, author)

    def put_words(self, sequence, captions, alt, author):
        for word in sorted(set(captions) | set(alt)):
            self.db.pg.execute(
                "INSERT INTO meme_words (word, meme, author, place) VALUES (%s, %s, %s, %s)",
                (word, sequence, author, 0 if word in captions else 1))

    def fts_edit(self, sequence, captions, alt, author):
        alt = [] if alt == captions else alt
        self.db.lite.execute(
            "UPDATE meme_words SET captions = ?, alt_text = ? WHERE rowid = ?",
            (" ".join(captions), " ".join(alt), -sequence))
        if self.db.pg is not None:
            self.db.pg.execute("DELETE FROM meme_words WHERE meme = %s", (sequence,))
            self.put_words(sequence, captions, alt, author)

    def fts_author(self, sequence, author):
        self.db.lite.execute("UPDATE meme_words SET author = ? WHERE rowid = ?", (str(author), -sequence))
        if self.db.pg is not None:
            self.db.pg.execute("UPDATE meme_words SET author = %s WHERE meme = %s", (author, sequence))

    def fts_remove(self, sequence):
        self.db.lite.execute("DELETE FROM meme_words WHERE rowid = ?", (-sequence,))
        if self.db.pg is not None:
            self.db.pg.execute("DELETE FROM meme_words WHERE meme = %s", (sequence,))

    def align_changes(self):
        """Gives memes that one statement changed the same numbers on both engines.

        No engine promises the order in which one UPDATE changes its rows. Numbers of one author within one statement may
        therefore be exchanged, and nothing else.
        """
        if self.db.pg is None:
            return
        read = "SELECT meme, author, number, deleted_at FROM changes"
        ours = {row[0]: row for row in self.db.lite.execute(read)}
        theirs = {bytes(row[0]): (bytes(row[0]), *row[1:]) for row in self.db.pg.execute(read)}
        wrong = [meme for meme in ours if ours[meme] != theirs.get(meme)]
        if ours.keys() != theirs.keys():
            raise Different("changes of different memes")
        for meme in wrong:
            one, other = ours[meme], theirs[meme]
            if (one[1], one[3]) != (other[1], other[3]) or min(one[2], other[2]) <= self.before_batch.get(one[1], 0):
                raise Different(f"change {one} {other}")
        if sorted(ours[meme][1:3] for meme in wrong) != sorted(theirs[meme][1:3] for meme in wrong):
            raise Different("other numbers")
        for meme in wrong:
            self.db.pg.execute("DELETE FROM changes WHERE meme = %s", (meme,))
        for meme in wrong:
            _, author, number, deleted = ours[meme]
            self.db.pg.execute(
                "INSERT INTO changes (author, number, meme, deleted_at) VALUES (%s, %s, %s, %s)",
                (author, number, meme, deleted))
        self.aligned += len(wrong)

    def note_numbers(self):
        self.before_batch = dict(self.look("SELECT author, max(number) FROM changes GROUP BY author"))

    # Accounts

    def register(self):
        seq, name = self.next("users"), self.random.choice(NAMES) + str(self.random.randint(0, 40))
        email = f"{name}@Example.org"
        if self.chance(0.3):
            email = email.upper()
        if self.chance(0.1):
            name += "_"
        values = {
            "seq": seq, "id": self.bytes(16), "username": name, "email": email,
            "display_name": " ".join(self.words()) or None, "bio": None, "password": f"$argon2id${seq}", "at": self.now,
            "role": int(self.chance(0.1))}
        self.db.q(
            """
            INSERT INTO users (seq, id, username, email, display_name, bio, password, password_changed_at, created_at, role)
            VALUES (:seq, :id, :username, :email, :display_name, :bio, :password, :at, :at, :role)
            """, values)
        self.db.q('INSERT INTO user_words (kind, word, "user") VALUES (0, :word, :seq)', {"word": name, "seq": seq})
        self.name_words(seq, values["display_name"])
        self.retry(values["id"])

    def name_words(self, seq, name):
        self.db.q('DELETE FROM user_words WHERE "user" = :seq AND kind = 1', {"seq": seq})
        for word in sorted(set((name or "").split())):
            self.db.q('INSERT INTO user_words (kind, word, "user") VALUES (1, :word, :seq)', {"word": word, "seq": seq})

    def change_profile(self):
        seq = self.person()
        name = " ".join(self.words()) or None
        email = None
        if self.chance(0.3):
            (other,) = self.pick("SELECT email FROM users")
            email = other.swapcase() if self.chance(0.7) else "new" + other
        self.db.q(
            """
            UPDATE users SET display_name = CASE WHEN :named THEN :name ELSE display_name END,
              email = coalesce(:email, email)
            WHERE seq = :seq
            """, {"named": True, "name": name, "email": email, "seq": seq})
        self.name_words(seq, name)
        if email:
            self.db.q('DELETE FROM password_resets WHERE "user" = :seq', {"seq": seq})

    def change_password(self):
        seq = self.person()
        self.db.q(
            "UPDATE users SET password = :new, password_changed_at = :at WHERE seq = :seq",
            {"new": f"$argon2id${self.random.random()}", "at": self.now, "seq": seq})
        self.db.q('DELETE FROM sessions WHERE "user" = :seq', {"seq": seq})

    def sign_in(self):
        seq = self.person()
        self.db.q(
            """
            DELETE FROM sessions WHERE token IN (
              SELECT token FROM sessions WHERE "user" = :seq ORDER BY last_used_at DESC, token LIMIT :all OFFSET :most)
            """, {"seq": seq, "most": 3, "all": 1000})
        self.db.q(
            """
            INSERT INTO sessions (token, id, "user", created_at, last_used_at, user_agent)
            VALUES (:token, :id, :seq, :at, :at, :agent)
            """, {"token": self.bytes(32), "id": self.bytes(16), "seq": seq, "at": self.now, "agent": None})

    def use_session(self):
        (id,) = self.pick("SELECT id FROM sessions")
        self.db.q(
            "UPDATE sessions SET last_used_at = greatest(last_used_at, :at) WHERE id = :id", {"at": self.now, "id": id})

    def sign_out(self):
        (id,) = self.pick("SELECT id FROM sessions")
        self.db.q("DELETE FROM sessions WHERE id = :id", {"id": id})

    def purge_sessions(self):
        self.db.q(
            """
            DELETE FROM sessions WHERE token IN (
              SELECT token FROM sessions WHERE last_used_at <= :used OR created_at <= :made ORDER BY token LIMIT 5)
            """, {"used": self.now - 5 * DAY, "made": self.now - 9 * DAY})

    def ask_reset(self):
        (email,) = self.pick("SELECT email FROM users")
        values = {"token": self.bytes(32), "at": self.now, "email": email.swapcase(), "after": self.now - DAY, "most": 3}
        text = """
            INSERT INTO password_resets (token, "user", created_at)
            SELECT :token, seq, :at FROM users WHERE {} AND (
              SELECT count(*) FROM password_resets AS r WHERE r."user" = seq AND r.created_at > :after) < :most
            """
        same = "lower(email) = lower(:email)"
        self.db.q(text.format(same), values, lite=text.format("email = :email"), pg=text.format(same))

    def reset(self):
        token, seq = self.pick('SELECT token, "user" FROM password_resets')
        self.db.q(
            "UPDATE users SET password = :new, password_changed_at = :at WHERE seq = :seq",
            {"new": "$argon2id$reset", "at": self.now, "seq": seq})
        self.db.q('DELETE FROM sessions WHERE "user" = :seq', {"seq": seq})
        self.db.q('DELETE FROM password_resets WHERE "user" = :seq', {"seq": seq})

    def purge_resets(self):
        self.db.q(
            """
            DELETE FROM password_resets WHERE token IN (
              SELECT token FROM password_resets WHERE created_at <= :limit ORDER BY token LIMIT 5)
            """, {"limit": self.now - DAY})

    def set_avatar(self):
        seq = self.person()
        has = self.chance(0.7)
        self.db.q(
            "UPDATE users SET avatar = :avatar WHERE seq = :seq",
            {"avatar": self.bytes(8).hex() if has else None, "seq": seq})
        self.db.q('DELETE FROM avatars WHERE "user" = :seq', {"seq": seq})
        for edge in (64, 192, 512) if has else ():
            facts = self.facts(width=edge, height=edge)
            facts["blob"] = self.blob(facts.pop("bytes"))
            self.db.q(
                """
                INSERT INTO avatars ("user", edge, format, width, height, byte_count, digest, blob)
                VALUES (:seq, :edge, :format, :width, :height, :byte_count, :digest, :blob)
                """, {**facts, "seq": seq, "edge": edge})

    def keep_settings(self):
        seq = self.person()
        style = lambda value: value if self.chance(0.5) else None
        values = {
            "seq": seq, "theme": self.random.choice(("light", "dark", "system")), "scale": self.random.uniform(0.8, 2),
            "motion": self.chance(0.5), "contrast": self.chance(0.5), "layout": style("bar"), "font": style("impact"),
            "fill": style(0xFFFFFF), "outline": style(0), "outline_width": style(0.1), "size": style(0.2),
            "case": style("typed"), "align": style("left"),
            "visibility": self.random.choice(("public", "friends", "private")), "likes": self.chance(0.7),
            "comments": self.chance(0.7), "follows": self.chance(0.7)}
        columns = """
            "user", version, theme, text_scale, reduced_motion, high_contrast, caption_layout, caption_font, caption_fill,
            caption_outline, caption_outline_width, caption_size, caption_case, caption_align, visibility, notify_likes,
            notify_comments, notify_follows"""
        chosen = """
            SELECT seq, (SELECT version_floor FROM epochs) + 1 + coalesce((SELECT version FROM settings WHERE "user" = seq), 0),
              :theme, :scale, :motion, :contrast, :layout, :font, :fill, :outline, :outline_width, :size, :case, :align,
              :visibility, :likes, :comments, :follows
            FROM users WHERE seq = :seq"""
        names = [name.strip().strip('"') for name in columns.split(",")][1:]
        upsert = f"""
            INSERT INTO settings ({columns}) {chosen}
            ON CONFLICT ("user") DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in names)}"""
        replace = f"INSERT OR REPLACE INTO settings ({columns}) {chosen}"
        # Both ways have the same effect on SQLite.
        is_upsert = self.is_new and self.chance(0.5)
        self.db.q(upsert, values, lite=upsert if is_upsert else replace, pg=upsert)

    def suspend(self):
        seq = self.person()
        self.db.q(
            "UPDATE users SET suspended_at = :at WHERE seq = :seq",
            {"at": self.now if self.chance(0.6) else None, "seq": seq})
        self.audit("suspend")

    def change_role(self):
        self.db.q("UPDATE users SET role = 1 - role WHERE seq = :seq", {"seq": self.person()})
        self.audit("change-role")

    def withdraw(self, seq=None, count=None):
        """Deletes some of a user's reactions, before the account."""
        seq, count = seq or self.person(), count or self.random.randint(1, 6)
        for table in ("likes", "favorites", "comments"):
            if table == "comments":
                self.db.q(
                    """
                    DELETE FROM retries WHERE made IN (
                      SELECT id FROM comments WHERE "user" = :seq ORDER BY meme, seq LIMIT :count)
                    """, {"seq": seq, "count": count})
            self.db.q(
                f"""
                DELETE FROM {table}
                WHERE seq IN (SELECT seq FROM {table} WHERE "user" = :seq ORDER BY meme, seq LIMIT :count)
                RETURNING (SELECT memes.id FROM memes WHERE memes.seq = {table}.meme)
                """, {"seq": seq, "count": count})

    def leave(self):
        """Deletes an account with all of its data, as the server does."""
        seq = self.person()
        who = {"seq": seq, "at": self.now}
        self.withdraw(seq, 1000)
        memes = "(SELECT seq FROM memes WHERE author = :seq)"
        self.db.q(
            f"""
            INSERT INTO discarded_blobs (blob, byte_count)
            SELECT blob, byte_count FROM pictures WHERE meme IN {memes}
            UNION ALL SELECT blob, byte_count FROM derived_pictures WHERE meme IN {memes}
            """, who)
        for table in ("pictures", "derived_pictures", "shares"):
            self.db.q(f"DELETE FROM {table} WHERE meme IN {memes}", who)
        self.db.q(
            """
            INSERT INTO deleted_memes (id, deleted_at, author, visibility)
            SELECT id, coalesce(deleted_at, :at), author, visibility FROM memes WHERE author = :seq
            """, who)
        self.db.q("DELETE FROM retries WHERE made IN (SELECT id FROM memes WHERE author = :seq)", who)
        for (meme,) in self.look("SELECT seq FROM memes WHERE author = ?", seq):
            self.fts_remove(meme)
        self.db.q("DELETE FROM memes WHERE author = :seq", who)
        self.db.q(
            """
            INSERT INTO discarded_blobs (blob, byte_count)
            SELECT blob, byte_count FROM templates WHERE author = :seq
            UNION ALL SELECT thumbnail_blob, thumbnail_byte_count FROM templates WHERE author = :seq
            """, who)
        self.db.q("INSERT INTO deleted_templates (id) SELECT id FROM templates WHERE author = :seq", who)
        self.db.q("DELETE FROM retries WHERE made IN (SELECT id FROM templates WHERE author = :seq)", who)
        self.db.q("DELETE FROM templates WHERE author = :seq", who)
        self.db.q(
            "INSERT INTO discarded_blobs (blob, byte_count) SELECT blob, byte_count FROM uploads WHERE author = :seq", who)
        self.db.q("DELETE FROM uploads WHERE author = :seq", who)
        self.db.q("UPDATE unfinished_uploads SET author = NULL, expires_at = 0 WHERE author = :seq", who)
        self.db.q("DELETE FROM users WHERE seq = :seq", who)

    def purge_discarded(self):
        for (blob,) in self.look("SELECT blob FROM discarded_blobs ORDER BY blob LIMIT 5"):
            self.db.q("DELETE FROM discarded_blobs WHERE blob = :blob", {"blob": blob})
            self.db.q("DELETE FROM blobs WHERE id = :blob", {"blob": blob})

    def purge_reactions(self):
        for (meme,) in self.look("SELECT meme FROM discarded_memes ORDER BY meme LIMIT 2"):
            left = self.random.randint(1, 5)
            for table in ("likes", "favorites", "comments"):
                self.db.q(
                    f"DELETE FROM {table} WHERE seq IN (SELECT seq FROM {table} WHERE meme = :meme ORDER BY seq LIMIT :left)",
                    {"meme": meme, "left": left})
            if not self.look(
                    "SELECT 1 FROM likes WHERE meme = ?1 UNION SELECT 1 FROM favorites WHERE meme = ?1 "
                    "UNION SELECT 1 FROM comments WHERE meme = ?1", meme):
                self.db.q("DELETE FROM discarded_memes WHERE meme = :meme", {"meme": meme})

    # Memes

    def make(self, author=False, pictures=True):
        if author is False:
            author = self.person() if self.chance(0.75) else None
        seq, id = self.next("memes"), self.bytes(16)
        captions, alt = self.words(), self.words()
        visibility = self.random.choice((0, 0, 0, 1, 2)) if author else 0
        self.db.q(
            """
            INSERT INTO memes (
              seq, id, version, created_at, updated_at, top, bottom, alt_text, fill, outline, outline_width, size, font,
              letter_case, align, chosen_style, layout, captions, crop, max_edge, fit, draft_digest, author, visibility,
              is_private_only)
            VALUES (:seq, :id, 1, :at, :at, :top, '', :alt, :fill, 0, 0.11, 0.14, 'impact', 'upper', 'center', NULL, 'overlay',
              '[]', NULL, :edge, '[]', :digest, :author, :visibility, :only)
            """, {
                "seq": seq, "id": id, "at": self.now, "top": " ".join(captions), "alt": " ".join(alt), "fill": 0xFFFFFF,
                "edge": self.random.choice((None, 600)), "digest": self.bytes(32), "author": author,
                "visibility": visibility, "only": visibility == 2 and self.chance(0.3)})
        self.fts(seq, captions, alt, author)
        for role in range(4) if pictures else ():
            self.put_picture(seq, role)
        self.retry(id)
        return seq

    def put_picture(self, meme, role):
        facts = self.facts()
        source = None
        if role == 0 and self.chance(0.3):
            # The original is a copy of an upload or a template.
            sources = self.look("SELECT blob, byte_count FROM uploads UNION ALL SELECT blob, byte_count FROM templates")
            source = self.random.choice(sources) if sources else None
        if source:
            facts["byte_count"] = source[1]
            blob = self.next("blobs")
            self.db.q(
                "INSERT INTO blobs (id, bytes) SELECT :id, bytes FROM blobs WHERE id = :source",
                {"id": blob, "source": source[0]})
        else:
            blob = self.blob(facts["bytes"])
        del facts["bytes"]
        self.db.q(
            """
            INSERT INTO pictures (meme, role, format, width, height, byte_count, digest, blob)
            VALUES (:meme, :role, :format, :width, :height, :byte_count, :digest, :blob)
            """, {**facts, "meme": meme, "role": role, "blob": blob})

    def drop_picture(self, meme, role):
        rows = self.db.q(
            "DELETE FROM pictures WHERE meme = :meme AND role = :role RETURNING blob", {"meme": meme, "role": role})
        for (blob,) in rows:
            self.db.q("DELETE FROM blobs WHERE id = :blob", {"blob": blob})

    def edit(self):
        seq, id, author, version, _ = self.meme("deleted_at IS NULL")
        captions, alt = self.words(), self.words()
        visibility = self.random.choice((0, 0, 1, 2)) if author else 0
        self.db.q(
            """
            UPDATE memes SET
              version = greatest(version, (SELECT version_floor FROM epochs)) + 1, updated_at = :at, top = :top, alt_text = :alt,
              crop = :crop, visibility = :visibility, is_private_only = :only
            WHERE seq = :seq
            """, {
                "at": self.now, "top": " ".join(captions), "alt": " ".join(alt), "crop": None, "visibility": visibility,
                "only": visibility == 2 and self.chance(0.3), "seq": seq})
        self.fts_edit(seq, captions, alt, author)
        for role in self.random.choice(((), (1, 2, 3), (0, 1, 2, 3))):
            self.drop_picture(seq, role)
            self.put_picture(seq, role)

    def claim(self):
        seq, *_ = self.meme("author IS NULL")
        person = self.person()
        claimed = self.db.q(
            """
            UPDATE memes SET author = :person WHERE seq = :seq AND author IS NULL AND deleted_at IS NULL RETURNING seq
            """, {"person": person, "seq": seq})
        if claimed:
            self.fts_author(seq, person)

    def delete(self):
        seq, *_ = self.meme()
        self.db.q(
            """
            UPDATE memes SET deleted_at = coalesce(deleted_at, :at), deleted_by_admin = :admin
            WHERE seq = :seq AND (deleted_at IS NULL OR deleted_by_admin < :admin)
            """, {"at": self.now, "admin": self.chance(0.3), "seq": seq})
        if self.chance(0.2):
            self.erase(seq)

    def restore(self):
        seq, *_ = self.meme("deleted_at IS NOT NULL")
        self.db.q(
            """
            UPDATE memes SET deleted_at = NULL, deleted_by_admin = FALSE
            WHERE seq = :seq AND deleted_at > :horizon AND deleted_by_admin <= :admin
            """, {"seq": seq, "horizon": self.now - 7 * DAY, "admin": self.chance(0.5)})

    def erase(self, seq):
        if not self.look("SELECT 1 FROM memes WHERE seq = ? AND deleted_at IS NOT NULL", seq):
            return
        for (blob,) in self.db.q("DELETE FROM pictures WHERE meme = :seq RETURNING blob", {"seq": seq}):
            self.db.q("DELETE FROM blobs WHERE id = :blob", {"blob": blob})
        self.db.q(
            """
            INSERT INTO deleted_memes (id, deleted_at, author, visibility)
            SELECT id, deleted_at, author, visibility FROM memes WHERE seq = :seq
            """, {"seq": seq})
        self.db.q("DELETE FROM shares WHERE meme = :seq", {"seq": seq})
        self.fts_remove(seq)
        self.db.q("DELETE FROM memes WHERE seq = :seq", {"seq": seq})

    def purge(self):
        due = self.db.q(
            """
            SELECT memes.seq FROM memes WHERE deleted_at <= :horizon ORDER BY deleted_at, seq LIMIT 4
            """, {"horizon": self.now - self.random.choice((0, 1, 7)) * DAY})
        for (seq,) in due:
            self.erase(seq)

    def delete_many(self):
        """An admin's deletion of many memes, in one statement."""
        self.note_numbers()
        author = self.person() if self.chance(0.6) else None
        self.db.q(
            """
            UPDATE memes SET deleted_at = :at, deleted_by_admin = TRUE
            WHERE seq IN (
              SELECT seq FROM memes WHERE deleted_at IS NULL AND created_at >= :first
                AND (author = :author OR :any AND author IS NULL) ORDER BY seq LIMIT 6)
            RETURNING id, (SELECT id FROM users WHERE seq = author)
            """, {"at": self.now, "first": self.now - 3 * DAY, "author": author, "any": author is None})
        self.align_changes()
        self.audit("delete-many")

    def share(self):
        seq, *_ = self.meme("deleted_at IS NULL")
        self.db.q("UPDATE memes SET share_count = share_count + 1 WHERE seq = :seq RETURNING seq", {"seq": seq})
        self.db.q(
            """
            INSERT INTO shares (meme, channel, count) VALUES (:seq, :channel, 1)
            ON CONFLICT (meme, channel) DO UPDATE SET count = shares.count + 1
            """, {"seq": seq, "channel": self.random.choice(("x", "link", "other"))})

    def prune(self):
        self.db.q(
            """
            DELETE FROM deleted_memes WHERE id IN (
              SELECT id FROM deleted_memes WHERE deleted_at <= :horizon ORDER BY deleted_at, id LIMIT :count)
            """, {"horizon": self.now - self.random.choice((0, 1, 8)) * DAY, "count": self.random.randint(1, 4)})

    def fill_words(self):
        self.db.q("UPDATE wordless SET memes_before = :meme, users_before = :user",
                  {"meme": self.random.randint(1, 9), "user": self.random.randint(1, 9)})

    # Renditions

    def derive(self):
        seq, *_ = self.meme("deleted_at IS NULL")
        facts = self.facts()
        if self.look(
                "SELECT 1 FROM derived_pictures WHERE meme = ? AND width = ? AND format = ?", seq, facts["width"],
                facts["format"]):
            return
        if self.look("SELECT count(*) FROM derived_pictures WHERE meme = ?", seq)[0][0] >= 4:
            self.db.q(
                """
                DELETE FROM derived_pictures WHERE (meme, width, format) =
                  (SELECT meme, width, format FROM derived_pictures WHERE meme = :seq ORDER BY last_use LIMIT 1)
                """, {"seq": seq})
        facts["blob"] = self.blob(facts.pop("bytes"))
        self.db.q(
            """
            INSERT INTO derived_pictures (meme, width, format, height, byte_count, digest, blob, last_use)
            VALUES (:seq, :width, :format, :height, :byte_count, :digest, :blob,
              (SELECT coalesce(max(last_use), 0) + 1 FROM derived_pictures))
            """, {**facts, "seq": seq})

    def use_derived(self):
        meme, width, format = self.pick("SELECT meme, width, format FROM derived_pictures")
        self.db.q(
            """
            UPDATE derived_pictures SET last_use = (SELECT coalesce(max(last_use), 0) + 1 FROM derived_pictures)
            WHERE meme = :meme AND width = :width AND format = :format
            """, {"meme": meme, "width": width, "format": format})

    def evict(self):
        self.db.q(
            """
            DELETE FROM derived_pictures WHERE (meme, width, format) =
              (SELECT meme, width, format FROM derived_pictures ORDER BY last_use LIMIT 1)
            """)

    # Uploads and templates

    def upload(self, id=None, author=False, content=None):
        facts = self.facts()
        if content is not None:
            facts.update(bytes=content, byte_count=len(content))
        facts["blob"] = self.blob(facts.pop("bytes"))
        if author is False:
            author = self.person() if self.chance(0.6) else None
        id = id or self.bytes(16)
        self.db.q(
            """
            INSERT INTO uploads (seq, id, expires_at, format, width, height, byte_count, digest, blob, author)
            VALUES (:seq, :id, :expires, :format, :width, :height, :byte_count, :digest, :blob, :author)
            """, {
                **facts, "seq": self.next("uploads"), "id": id, "expires": self.now + DAY, "author": author})
        self.retry(id)

    def purge_uploads(self):
        due = self.db.q(
            "SELECT seq, blob FROM uploads WHERE expires_at <= :now ORDER BY expires_at, seq LIMIT 4", {"now": self.now})
        for seq, blob in due:
            self.db.q("DELETE FROM uploads WHERE seq = :seq", {"seq": seq})
            self.db.q("DELETE FROM blobs WHERE id = :blob", {"blob": blob})

    def begin_upload(self):
        self.db.q(
            """
            INSERT INTO unfinished_uploads (seq, id, byte_count, expires_at, beginner, author)
            VALUES (:seq, :id, :count, :expires, :beginner, :author)
            """, {
                "seq": self.next("unfinished_uploads"), "id": self.bytes(16), "count": self.random.randint(1, 90),
                "expires": self.now + DAY, "beginner": self.bytes(32),
                "author": self.person() if self.chance(0.6) else None})
        if self.chance(0.1):
            # The server never inserts one with bytes, but the triggers count them.
            self.db.q(
                """
                INSERT INTO unfinished_uploads (seq, id, byte_count, received, expires_at, beginner, author)
                SELECT :seq, :id, byte_count + 9, received + 3, expires_at, beginner, author FROM unfinished_uploads
                ORDER BY seq DESC LIMIT 1
                """, {"seq": self.next("unfinished_uploads"), "id": self.bytes(16)})

    def append(self):
        seq, count, received = self.pick("SELECT seq, byte_count, received FROM unfinished_uploads")
        piece = self.bytes(self.random.randint(1, 40))
        if self.chance(0.5):
            piece = piece[:max(1, count - received - 1)]
        small = self.random.choice((0, 30))
        text = """
            UPDATE upload_pieces SET bytes = {}
            WHERE upload = :seq AND start = (SELECT max(start) FROM upload_pieces WHERE upload = :seq) AND start > :small
            RETURNING seq
            """
        grown = self.db.q(
            "", {"piece": piece, "seq": seq, "small": received - small},
            lite=text.format("CAST(bytes || :piece AS BLOB)"), pg=text.format("bytes || :piece::bytea"))
        if not grown:
            self.db.q(
                "INSERT INTO upload_pieces (seq, upload, start, bytes) VALUES (:piece_seq, :seq, :start, :piece)",
                {"piece_seq": self.next("upload_pieces"), "seq": seq, "start": received, "piece": piece})
        # The last piece is not appended, so this fails if the upload would be complete.
        self.db.q(
            "UPDATE unfinished_uploads SET received = :received, expires_at = :expires WHERE seq = :seq",
            {"received": received + len(piece), "expires": self.now + DAY, "seq": seq})

    def remove_unfinished(self, seq=None):
        seq = seq or self.pick("SELECT seq FROM unfinished_uploads")[0]
        self.db.q("DELETE FROM upload_pieces WHERE upload = :seq", {"seq": seq})
        self.db.q("DELETE FROM unfinished_uploads WHERE seq = :seq", {"seq": seq})

    def finish_upload(self):
        seq, id, author, count = self.pick("SELECT seq, id, author, byte_count FROM unfinished_uploads")
        self.remove_unfinished(seq)
        self.upload(id, author, self.bytes(count))

    def keep_template(self):
        picture, thumbnail = self.facts(), self.facts()
        blob, small = self.blob(picture["bytes"]), self.blob(thumbnail["bytes"])
        self.db.q(
            """
            INSERT INTO templates (
              seq, id, created_at, name, alt_text, format, width, height, byte_count, digest, blob, thumbnail_format,
              thumbnail_width, thumbnail_height, thumbnail_byte_count, thumbnail_digest, thumbnail_blob, author)
            VALUES (:seq, :id, :at, :name, '', :format, :width, :height, :byte_count, :digest, :blob, :format2, :width2,
              :height2, :byte_count2, :digest2, :small, :author)
            """, {
                **{key: value for key, value in picture.items() if key != "bytes"},
                **{f"{key}2": value for key, value in thumbnail.items() if key != "bytes"},
                "seq": self.next("templates"), "id": self.bytes(16), "at": self.now, "name": " ".join(self.words()),
                "blob": blob, "small": small, "author": self.person() if self.chance(0.6) else None})

    def replace_thumbnail(self):
        """As `mememe check --repair` does."""
        seq, former = self.pick("SELECT seq, thumbnail_blob FROM templates")
        facts = self.facts()
        facts["blob"] = self.blob(facts.pop("bytes"))
        self.db.q(
            """
            UPDATE templates SET thumbnail_format = :format, thumbnail_width = :width, thumbnail_height = :height,
              thumbnail_byte_count = :byte_count, thumbnail_digest = :digest, thumbnail_blob = :blob
            WHERE seq = :seq
            """, {**facts, "seq": seq})
        self.db.q("DELETE FROM blobs WHERE id = :former", {"former": former})

    def delete_template(self):
        (seq,) = self.pick("SELECT seq FROM templates")
        rows = self.db.q(
            "DELETE FROM templates WHERE seq = :seq RETURNING id, blob, thumbnail_blob", {"seq": seq})
        for id, blob, small in rows:
            self.db.q("INSERT INTO deleted_templates (id) VALUES (:id)", {"id": id})
            self.db.q("DELETE FROM blobs WHERE id IN (:blob, :small)", {"blob": blob, "small": small})

    def delete_templates_of_nobody(self):
        rows = self.db.q(
            """
            DELETE FROM templates WHERE seq IN (SELECT seq FROM templates WHERE author IS NULL ORDER BY seq LIMIT 2)
            RETURNING id, blob, byte_count, thumbnail_blob, thumbnail_byte_count
            """)
        for id, *files in rows:
            self.db.q("INSERT INTO deleted_templates (id) VALUES (:id)", {"id": id})
            for blob, count in (files[:2], files[2:]):
                self.db.q(
                    "INSERT INTO discarded_blobs (blob, byte_count) VALUES (:blob, :count)", {"blob": blob, "count": count})

    # People

    def react(self, table="likes"):
        seq, *_ = self.meme("deleted_at IS NULL") if self.chance(0.9) else self.meme()
        if self.chance(0.4):
            # Some memes are popular.
            (seq,) = self.pick("SELECT seq FROM memes WHERE author IS NOT NULL ORDER BY seq DESC LIMIT 3")
        self.db.q(
            f"""
            INSERT INTO {table} (seq, "user", meme, created_at) VALUES (:seq, :user, :meme, :at)
            ON CONFLICT ("user", meme) DO NOTHING
            """, {"seq": self.next(table), "user": self.person(), "meme": seq, "at": self.now})

    def favorite(self):
        self.react("favorites")

    def unreact(self, table="likes"):
        user, meme = self.pick(f'SELECT "user", meme FROM {table}')
        self.db.q(f'DELETE FROM {table} WHERE "user" = :user AND meme = :meme', {"user": user, "meme": meme})

    def unfavorite(self):
        self.unreact("favorites")

    def comment(self):
        seq, *_ = self.meme("deleted_at IS NULL")
        id = self.bytes(16)
        self.db.q(
            """
            INSERT INTO comments (seq, id, meme, "user", created_at, text) VALUES (:seq, :id, :meme, :user, :at, :text)
            """, {
                "seq": self.next("comments"), "id": id, "meme": seq, "user": self.person(), "at": self.now,
                "text": " ".join(self.words(1))})
        self.retry(id)

    def edit_comment(self):
        (id,) = self.pick("SELECT id FROM comments WHERE deleted_at IS NULL")
        self.db.q(
            """
            UPDATE comments SET text = :text, edited_at = :at,
              version = greatest(version, (SELECT version_floor FROM epochs)) + 1 WHERE id = :id
            """, {"text": " ".join(self.words(1)), "at": self.now, "id": id})

    def delete_comment(self):
        (id,) = self.pick("SELECT id FROM comments")
        self.db.q("UPDATE comments SET deleted_at = :at, text = '' WHERE id = :id", {"at": self.now, "id": id})

    def follow(self):
        # Fails for oneself, and for a user who is followed already.
        self.db.q(
            "INSERT INTO follows (seq, follower, followed, created_at) VALUES (:seq, :one, :other, :at)",
            {"seq": self.next("follows"), "one": self.person(), "other": self.person(), "at": self.now})

    def unfollow(self):
        one, other = self.pick("SELECT follower, followed FROM follows")
        self.db.q("DELETE FROM follows WHERE follower = :one AND followed = :other", {"one": one, "other": other})

    def follow_again(self):
        """Follows a user from whom a follow was withdrawn."""
        one, other = self.pick("SELECT actor, subject FROM taken_back WHERE kind = 2 ORDER BY at DESC LIMIT 3")
        self.db.q(
            """
            INSERT INTO follows (seq, follower, followed, created_at)
            SELECT :seq, one.seq, other.seq, :at FROM users AS one CROSS JOIN users AS other
            WHERE one.seq = :one AND other.seq = :other
            """, {"seq": self.next("follows"), "one": one, "other": other, "at": self.now})

    def like_again(self):
        """Likes a meme from which a like was withdrawn, often while another like is unread."""
        one, meme = self.pick("SELECT actor, subject FROM taken_back WHERE kind = 0 ORDER BY at DESC LIMIT 3")
        if self.chance(0.5):
            self.db.q(
                """
                INSERT INTO likes (seq, "user", meme, created_at)
                SELECT :seq, users.seq, memes.seq, :at FROM users CROSS JOIN memes
                WHERE users.seq = :one AND memes.seq = :meme
                ON CONFLICT ("user", meme) DO NOTHING
                """, {"seq": self.next("likes"), "one": self.person(), "meme": meme, "at": self.now})
        self.db.q(
            """
            INSERT INTO likes (seq, "user", meme, created_at)
            SELECT :seq, users.seq, memes.seq, :at FROM users CROSS JOIN memes WHERE users.seq = :one AND memes.seq = :meme
            ON CONFLICT ("user", meme) DO NOTHING
            """, {"seq": self.next("likes"), "one": one, "meme": meme, "at": self.now})

    def repeat_read_event(self):
        """Withdraws an event that was read, and repeats it while another event is unread."""
        seq, _, author, *_ = self.meme("author IS NOT NULL AND deleted_at IS NULL")
        people = [row[0] for row in self.look("SELECT seq FROM users WHERE seq <> ?", author)]
        one, other = self.random.sample(people, 2)
        about_meme = self.chance(0.6)
        put = """
            INSERT INTO likes (seq, "user", meme, created_at) VALUES (:seq, :user, :meme, :at)
            ON CONFLICT ("user", meme) DO NOTHING
            """ if about_meme else """
            INSERT INTO follows (seq, follower, followed, created_at) VALUES (:seq, :user, :author, :at)
            ON CONFLICT (follower, followed) DO NOTHING
            """
        remove = 'DELETE FROM likes WHERE "user" = :user AND meme = :meme' if about_meme else \
            "DELETE FROM follows WHERE follower = :user AND followed = :author"
        steps = (
            (put, one), ('UPDATE notifications SET is_read = TRUE WHERE "user" = :author AND NOT is_read', None),
            (remove, one), (remove, other), (put, other), (put, one), (remove, one))
        for sql, user in steps[:self.random.randint(5, 7)]:
            self.now += 1000
            self.db.q(sql, {
                "seq": self.next("likes" if about_meme else "follows"), "user": user, "meme": seq, "author": author,
                "at": self.now})

    def block(self):
        one, other = self.person(), self.person()
        self.db.q(
            "INSERT INTO blocks (seq, blocker, blocked, created_at) VALUES (:seq, :one, :other, :at)",
            {"seq": self.next("blocks"), "one": one, "other": other, "at": self.now})
        self.db.q(
            """
            DELETE FROM follows
            WHERE (follower = :one AND followed = :other) OR (follower = :other AND followed = :one)
            """, {"one": one, "other": other})

    def unblock(self):
        (seq,) = self.pick("SELECT seq FROM blocks")
        self.db.q("DELETE FROM blocks WHERE seq = :seq", {"seq": seq})

    # Notifications

    def mark_read(self):
        seq = self.person()
        (last,) = self.look('SELECT coalesce(max(place), 0) FROM notifications WHERE "user" = ?', seq)[0]
        place = self.random.choice((2**63 - 1, last, max(0, last - 3)))
        self.db.q(
            """
            UPDATE notifications SET is_read = TRUE WHERE "user" = :seq AND NOT is_read AND place <= :place
            """, {"seq": seq, "place": place})

    def purge_notifications(self):
        values = {"limit": self.now - self.random.choice((1, 3, 20)) * DAY, "count": 5, "now": self.now}
        self.db.q(
            """
            DELETE FROM taken_back WHERE (actor, kind, subject) IN (
              SELECT actor, kind, subject FROM taken_back WHERE at <= :now - 86400000
              ORDER BY at, actor, kind, subject LIMIT :count)
            """, values)
        if self.is_new:
            self.db.q(
                """
                DELETE FROM notifications WHERE ("user", place) IN (
                  SELECT "user", place FROM notifications WHERE updated_at <= :limit
                  ORDER BY updated_at, "user", place LIMIT :count)
                """, values)
        else:
            self.db.q(
                """
                DELETE FROM notifications WHERE updated_at <= :limit AND place IN (
                  SELECT place FROM notifications ORDER BY place LIMIT :count)
                """, values)

    # Administration and repair

    def report(self):
        kind = self.random.randint(0, 2)
        subject, username = self.pick(
            ("SELECT id, NULL FROM memes", "SELECT id, NULL FROM comments", "SELECT id, username FROM users")[kind])
        self.db.q(
            """
            INSERT INTO reports (seq, id, kind, subject, username, reporter, reason, created_at)
            VALUES (:seq, :id, :kind, :subject, :username, :reporter, :reason, :at)
            """, {
                "seq": self.next("reports"), "id": self.bytes(16), "kind": kind, "subject": subject, "username": username,
                "reporter": self.person() if self.chance(0.6) else None, "reason": "x", "at": self.now})

    def renew_report(self):
        reporter, subject = self.pick("SELECT reporter, subject FROM reports WHERE status = 0 AND reporter IS NOT NULL")
        self.db.q(
            """
            UPDATE reports SET reason = :reason WHERE reporter = :reporter AND subject = :subject AND status = 0
            RETURNING id, created_at
            """, {"reason": str(self.now), "reporter": reporter, "subject": subject})

    def decide(self):
        (seq,) = self.pick("SELECT seq FROM reports")
        status = self.random.randint(0, 2)
        act = self.audit("decide")
        self.db.q(
            "UPDATE reports SET status = :status, note = :note, closing = :closing WHERE seq = :seq",
            {"status": status, "note": None, "closing": act if status else None, "seq": seq})

    def choose_limits(self):
        # Fails the second time.
        self.db.q("INSERT INTO storage_limits (id, account_bytes, anonymous_bytes) VALUES (1, :one, NULL)", {"one": 10**9})

    def recount(self):
        """Damages a counter and repairs it."""
        table, column, expression = self.random.choice((
            ("totals", "likes", "(SELECT count(*) FROM likes)"),
            ("totals", "picture_bytes", "(SELECT coalesce(sum(byte_count), 0) FROM pictures)"),
            ("memes", "like_count", "(SELECT count(*) FROM likes WHERE meme = memes.seq)"),
            ("users", "followers", "(SELECT count(*) FROM follows WHERE followed = users.seq)"),
            ("users", "last_change", LAST_CHANGE), ("users", "last_notified", LAST_NOTIFIED)))
        if column.startswith("last_") and not self.is_new:
            return
        if table == "totals" and self.db.pg is not None:
            self.db.pg.execute("SELECT fold_totals()")
        if not column.startswith("last_"):
            self.db.q(f"UPDATE {table} SET {column} = {column} + 3")
        changed = f"UPDATE {table} SET {column} = {expression} WHERE {column} IS DISTINCT FROM {expression}"
        self.db.q(changed)

    def rewrite_changes(self):
        """Loses the change of a meme, and repairs it as `mememe check --repair` does."""
        seq, id, author, _, deleted = self.meme("author IS NOT NULL")
        values = {"meme": id, "author": author, "deleted": deleted}
        self.db.q("DELETE FROM changes WHERE meme = :meme", values)
        if self.is_new:
            self.db.q("UPDATE users SET last_change = last_change + 1 WHERE seq = :author", values)
            self.db.q(
                """
                INSERT INTO changes (author, number, meme, deleted_at)
                SELECT seq, last_change, :meme, :deleted FROM users WHERE seq = :author
                """, values, pg="""
                INSERT INTO changes (author, number, meme, deleted_at)
                SELECT seq, last_change, :meme, :deleted::bigint FROM users WHERE seq = :author
                """)
        else:
            self.db.q("INSERT INTO changes (meme, author, deleted_at) VALUES (:meme, :author, :deleted)", values)

    def correct_facts(self):
        meme, role = self.pick("SELECT meme, role FROM pictures")
        self.db.q(
            "UPDATE pictures SET format = 'png', byte_count = :count WHERE meme = :meme AND role = :role",
            {"count": self.random.randint(0, 90), "meme": meme, "role": role})

    def forget_author(self):
        """As the repair of references to missing accounts, for accounts that are not missing."""
        table = self.random.choice(("uploads", "templates", "unfinished_uploads"))
        (seq,) = self.pick(f"SELECT seq FROM {table} WHERE author IS NOT NULL")
        self.db.q(f"UPDATE {table} SET author = NULL WHERE seq = :seq", {"seq": seq})

    def raise_floor(self):
        self.db.q("UPDATE epochs SET version_floor = version_floor + 1")

    # Constraints

    def columns(self, table):
        return [
            (name, kind, pk) for _, name, kind, _, _, pk, hidden in self.look(f"PRAGMA table_xinfo({table})") if not hidden
        ]

    def wrong_values(self, table, column, kind, keys, before):
        if (table, column) in BOOLEANS:
            return [None, 0, 1]
        if kind == "INTEGER":
            values = [None, -1, 0, 1, 2, 3, 4, 7, 64, 10**9, 0x1000000, 2**62, before]
            # SQLite chooses a number for NULL. The server never inserts one.
            return values[1:] if keys == [column] else values
        if kind == "REAL":
            return [None, -1.5, 1e300]
        if kind == "TEXT":
            return [None, "", "nonsense", "ADA", before]
        return [None, b"", b"x", self.bytes(15), self.bytes(17), before]

    def bad_row(self):
        """A row with one wrong value, as INSERT or UPDATE. It is always rolled back."""
        tables = [table for table in lite_tables(self.db.lite) if self.look(f"SELECT 1 FROM {table} LIMIT 1")]
        table = self.random.choice(tables)
        info = self.columns(table)
        row = self.pick(f"SELECT {', '.join(quoted(name) for name, _, _ in info)} FROM {table}")
        before = dict(zip((name for name, _, _ in info), row))
        column, kind, _ = self.random.choice(info)
        keys = [name for name, _, pk in info if pk]
        values = self.wrong_values(table, column, kind, keys, before[column])
        values.append(self.pick(f"SELECT {quoted(column)} FROM {table}")[0])  # What another row has.
        self.try_value(table, info, before, column, self.random.choice(values), self.chance(0.6))
        # The statement succeeded, and its triggers have run.
        self.compare()
        raise Undo

    def try_value(self, table, info, before, column, wrong, is_insert):
        row = dict(before)
        if is_insert:
            # New values for what must be unique, so that the wrong value alone decides.
            for name, of, _ in info:
                if of == "BLOB" and name in ("id", "token", "key", "meme"):
                    row[name] = self.bytes(len(row[name]))
                elif name in ("seq", "number", "place") or name == "id" and of == "INTEGER":
                    row[name] = 1_000_000 + self.random.randint(0, 10**6)
            if table == "users":
                row["username"], row["email"] = "fresh", "fresh@example.org"
            if "blob" in row and table != "discarded_blobs":
                row["blob"] = self.blob(b"x")
            if "thumbnail_blob" in row:
                row["thumbnail_blob"] = self.blob(b"x")
        if table in ("totals", "upload_days") and self.db.pg is not None:
            self.db.pg.execute("SELECT fold_totals()")
        row[column] = wrong
        keys = [name for name, _, pk in info if pk]
        values = {
            f"v{place}": bool(row[name]) if (table, name) in BOOLEANS and row[name] is not None else row[name]
            for place, (name, _, _) in enumerate(info)}
        if is_insert:
            sql = (
                f"INSERT INTO {table} ({', '.join(quoted(name) for name, _, _ in info)}) "
                f"VALUES ({', '.join(f':v{place}' for place in range(len(info)))})")
        else:
            place = [name for name, _, _ in info].index(column)
            sql = (
                f"UPDATE {table} SET {quoted(column)} = :v{place} WHERE "
                + " AND ".join(f"{quoted(name)} = :k_{name}" for name in keys))
            values = {f"v{place}": values[f"v{place}"], **{f"k_{name}": before[name] for name in keys}}
        self.what = f"{sql} {column} = {row[column]!r}"
        self.db.q(sql, values)

    def sweep(self):
        """Tries every wrong value in every column of every table that has rows."""
        tried = 0
        for table in lite_tables(self.db.lite):
            info = self.columns(table)
            keys = [name for name, _, pk in info if pk]
            rows = self.look(f"SELECT {', '.join(quoted(name) for name, _, _ in info)} FROM {table}")
            for column, kind, _ in info if rows else ():
                for is_insert in (True, False):
                    before = dict(zip((name for name, _, _ in info), self.random.choice(rows)))
                    place = [name for name, _, _ in info].index(column)
                    values = self.wrong_values(table, column, kind, keys, before[column])
                    values += [self.random.choice(rows)[place], rows[0][place], rows[-1][place]]
                    for wrong in values:
                        numbers = collections.Counter(self.numbers)
                        self.db.on_both("BEGIN")
                        try:
                            self.try_value(table, info, before, column, wrong, is_insert)
                        except Failed:
                            pass
                        except Different as error:
                            raise Different(f"sweep: {self.what}\n{error}") from None
                        self.db.on_both("ROLLBACK")
                        self.numbers = numbers
                        tried += 1
        return tried

    def raw_delete(self):
        """Deletes a row to which others may refer. It is always rolled back, after a comparison."""
        table, key = self.random.choice((
            ("users", "seq"), ("users", "seq"), ("memes", "seq"), ("blobs", "id"), ("audit", "seq"),
            ("unfinished_uploads", "seq")))
        (number,) = self.pick(f"SELECT {key} FROM {table}")
        if table == "users" and self.chance(0.8):
            # Without this, the memes of the account usually prevent it. The references cascade to everything else.
            values = {"seq": number}
            for other in ("pictures", "derived_pictures", "shares"):
                self.db.q(f"DELETE FROM {other} WHERE meme IN (SELECT seq FROM memes WHERE author = :seq)", values)
            for (meme,) in self.look("SELECT seq FROM memes WHERE author = ?", number):
                self.fts_remove(meme)
            self.db.q("DELETE FROM memes WHERE author = :seq", values)
            for other in ("templates", "uploads"):
                self.db.q(f"DELETE FROM {other} WHERE author = :seq", values)
            self.db.q("UPDATE unfinished_uploads SET author = NULL WHERE author = :seq", values)
        if table == "memes":
            for other in ("pictures", "derived_pictures", "shares"):
                self.db.q(f"DELETE FROM {other} WHERE meme = :key", {"key": number})
            self.fts_remove(number)
        self.db.q(f"DELETE FROM {table} WHERE {key} = :key", {"key": number})
        self.compare()
        raise Undo

    # Comparison

    def compare(self):
        if self.db.pg is None:
            return
        for table in lite_tables(self.db.lite):
            columns = [row[1] for row in self.db.lite.execute(f"PRAGMA table_xinfo({table})")]
            names = ", ".join(quoted(name) for name in columns)
            theirs = {"totals": "totals_now", "upload_days": "upload_days_now"}.get(table, table)
            ours = sorted(self.db.lite.execute(f"SELECT {names} FROM {table}").fetchall(), key=order)
            others = sorted(
                (tuple(normal(value) for value in row) for row in self.db.pg.execute(f"SELECT {names} FROM {theirs}")),
                key=order)
            if ours != others:
                missing = [row for row in ours if row not in others][:4]
                extra = [row for row in others if row not in ours][:4]
                raise Different(f"{table} {columns}\n  only SQLite: {missing}\n  only PostgreSQL: {extra}")
        words = set()
        for rowid, captions, alt, author in self.db.lite.execute(
                "SELECT rowid, captions, alt_text, author FROM meme_words"):
            captions, alt = captions.split(), alt.split()
            for word in set(captions) | set(alt):
                words.add((word, -rowid, int(author) if author else None, 0 if word in captions else 1))
        found = set(self.db.pg.execute("SELECT word, meme, author, place FROM meme_words"))
        if words != found:
            raise Different(f"words: {sorted(words ^ found, key=str)[:5]}")

    def compare_folded(self):
        """After folding, the tables themselves are equal."""
        if self.db.pg is None:
            return
        self.db.pg.execute("SELECT fold_totals()")
        for table in ("totals", "upload_days"):
            columns = ", ".join(row[1] for row in self.db.lite.execute(f"PRAGMA table_xinfo({table})"))
            ours = sorted(self.db.lite.execute(f"SELECT {columns} FROM {table}").fetchall())
            theirs = sorted(self.db.pg.execute(f"SELECT {columns} FROM {table}").fetchall())
            if ours != theirs:
                raise Different(f"{table} after folding: {ours} {theirs}")
        left = self.db.pg.execute("SELECT (SELECT count(*) FROM totals_changes) + (SELECT count(*) FROM upload_days_changes)")
        assert left.fetchone()[0] == 0


class Undo(Exception):
    """The step succeeded, and must have no effect."""


def quoted(name):
    return '"user"' if name == "user" else name


LAST_CHANGE = """
    (SELECT max(number) FROM (
      SELECT users.last_change AS number UNION ALL SELECT users.pruned_changes
      UNION ALL SELECT max(number) FROM changes WHERE author = users.seq) AS numbers)
    """
LAST_NOTIFIED = """
    (SELECT max(place) FROM (
      SELECT users.last_notified AS place
      UNION ALL SELECT max(place) FROM notifications WHERE "user" = users.seq) AS places)
    """

WEIGHTS = {
    "register": 5, "change_profile": 3, "change_password": 1, "sign_in": 4, "use_session": 2, "sign_out": 1,
    "purge_sessions": 1, "ask_reset": 2, "reset": 1, "purge_resets": 1, "set_avatar": 2, "keep_settings": 5, "suspend": 1,
    "change_role": 1, "withdraw": 1.5, "leave": 0.7, "purge_discarded": 2, "purge_reactions": 2, "make": 20, "edit": 7,
    "claim": 3, "delete": 6, "restore": 4, "purge": 2, "delete_many": 1.5, "share": 4, "prune": 3, "fill_words": 0.3,
    "derive": 5, "use_derived": 2, "evict": 1, "upload": 4, "purge_uploads": 2, "begin_upload": 3, "append": 5,
    "remove_unfinished": 1, "finish_upload": 2, "keep_template": 3, "delete_template": 1, "replace_thumbnail": 1, "delete_templates_of_nobody": 0.5,
    "react": 26, "favorite": 6, "unreact": 9, "unfavorite": 2, "comment": 12, "edit_comment": 3, "delete_comment": 3,
    "follow": 9, "unfollow": 4, "follow_again": 2, "like_again": 3, "repeat_read_event": 3, "block": 2, "unblock": 1, "mark_read": 9,
    "purge_notifications": 2, "report": 3, "renew_report": 1, "decide": 2, "choose_limits": 0.2, "recount": 1,
    "rewrite_changes": 1, "correct_facts": 1, "raise_floor": 0.2, "forget_author": 0.7, "bad_row": 14, "raw_delete": 2,
}


def play(world, steps, every):
    names, weights = list(WEIGHTS), list(WEIGHTS.values())
    for step in range(steps):
        name = world.random.choices(names, weights)[0]
        if len(world.look("SELECT seq FROM users")) < 4:
            name = "register"
        world.now += world.random.randint(1, 900_000)
        if world.chance(0.02):
            world.now += world.random.choice((DAY, 2 * DAY, -3_600_000))
        state = (world.random.getstate(), collections.Counter(world.numbers))
        world.what = name
        world.db.on_both("BEGIN")
        try:
            getattr(world, name)()
            world.db.on_both("COMMIT")
            world.done[name] += 1
        except Undo:
            world.db.on_both("ROLLBACK")
            world.done[name] += 1
        except Failed as error:
            world.db.on_both("ROLLBACK")
            world.rejected[f"{name}: {error}"] += 1
        except Different as error:
            raise Different(f"step {step} {name}: {world.what}\n{error}") from None
        world.log.append(name)
        if step % every == every - 1 or step == steps - 1:
            try:
                world.compare()
                if world.chance(0.3):
                    world.compare_folded()
            except Different as error:
                raise Different(f"after step {step}; last steps {world.log[-every:]}\n{error}") from None


# --- The migration of a database with rows ---------------------------------------------------------------------------


def check_migration(lite, numbers):
    """Runs 0027 on a database with rows, and checks what it must keep."""
    changes = sorted(lite.execute("SELECT author, number, meme, deleted_at FROM changes").fetchall(), key=order)
    columns = "place, user, kind, meme, first_event, last_event, count, created_at, updated_at, is_read"
    notices = sorted(lite.execute(f"SELECT {columns} FROM notifications").fetchall(), key=order)
    highest = lite.execute("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)").fetchone()[0]
    notified = lite.execute("SELECT notified FROM totals").fetchone()[0]
    (people,) = lite.execute("SELECT count(*) FROM users").fetchone()
    migrate(lite, [numbers])
    assert changes == sorted(lite.execute("SELECT author, number, meme, deleted_at FROM changes").fetchall(), key=order)
    assert notices == sorted(lite.execute(f"SELECT {columns} FROM notifications").fetchall(), key=order)
    assert lite.execute(
        "SELECT count(*) FROM users WHERE last_change = ? AND last_notified = ?", (highest, notified)
    ).fetchone()[0] == people
    assert lite.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert lite.execute("PRAGMA foreign_key_check").fetchall() == []
    assert not lite.execute("SELECT 1 FROM sqlite_sequence WHERE name = 'changes'").fetchall()
    return len(changes), len(notices), highest, notified


def move(lite, pg):
    """Copies all rows to PostgreSQL, with triggers off, as a move between the engines does. Only a column that is not copied is
    computed."""
    pg.execute("SET session_replication_role = replica")
    pg.execute("ALTER TABLE memes ENABLE ALWAYS TRIGGER popularity_of_new")
    for table in lite_tables(lite):
        columns = [row[1] for row in lite.execute(f"PRAGMA table_xinfo({table})") if row[6] == 0]
        names = ", ".join(quoted(name) for name in columns)
        pg.execute(f"DELETE FROM {table}")
        with pg.cursor() as cursor:
            rows = [
                tuple(
                    bool(value) if (table, name) in BOOLEANS and value is not None else value
                    for name, value in zip(columns, row))
                for row in lite.execute(f"SELECT {names} FROM {table}")
            ]
            if rows:
                cursor.executemany(
                    f"INSERT INTO {table} ({names}) VALUES ({', '.join(['%s'] * len(columns))})", rows)
        if table in IDENTITIES:
            key = columns[0]
            pg.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', '{key}'), greatest((SELECT max({key}) FROM {table}), 1))")
    for rowid, captions, alt, author in lite.execute("SELECT rowid, captions, alt_text, author FROM meme_words"):
        captions, alt = captions.split(), alt.split()
        for word in sorted(set(captions) | set(alt)):
            pg.execute(
                "INSERT INTO meme_words (word, meme, author, place) VALUES (%s, %s, %s, %s)",
                (word, -rowid, int(author) if author else None, 0 if word in captions else 1))
    pg.execute("SET session_replication_role = DEFAULT")
    pg.execute("ALTER TABLE memes ENABLE TRIGGER popularity_of_new")


def check_counts(lite):
    """The counters of SQLite against the rows that they count, as `mememe check` does."""
    owned = lambda author: f"""
        (SELECT coalesce(sum(byte_count), 0) FROM memes JOIN pictures ON pictures.meme = memes.seq WHERE memes.author {author})
        + (SELECT coalesce(sum(byte_count + thumbnail_byte_count), 0) FROM templates WHERE author {author})
        + (SELECT coalesce(sum(byte_count), 0) FROM uploads WHERE author {author})
        + (SELECT coalesce(sum(received), 0) FROM unfinished_uploads WHERE author {author})"""
    checks = [
        ("totals", "visible", "(SELECT count(*) FROM memes WHERE deleted_at IS NULL)"),
        ("totals", "deleted", "(SELECT count(*) FROM memes WHERE deleted_at IS NOT NULL)"),
        ("totals", "picture_bytes", "(SELECT coalesce(sum(byte_count), 0) FROM pictures)"),
        ("totals", "original_bytes", "(SELECT coalesce(sum(byte_count), 0) FROM pictures WHERE role = 0)"),
        ("totals", "image_bytes", "(SELECT coalesce(sum(byte_count), 0) FROM pictures WHERE role = 1)"),
        ("totals", "derived", "(SELECT count(*) FROM derived_pictures)"),
        ("totals", "derived_bytes", "(SELECT coalesce(sum(byte_count), 0) FROM derived_pictures)"),
        ("totals", "uploads", "(SELECT count(*) FROM uploads)"),
        ("totals", "templates", "(SELECT count(*) FROM templates)"),
        ("totals", "likes", "(SELECT count(*) FROM likes)"),
        ("totals", "comments", "(SELECT count(*) FROM comments WHERE deleted_at IS NULL)"),
        ("totals", "unfinished_uploads", "(SELECT count(*) FROM unfinished_uploads)"),
        ("totals", "unfinished_upload_bytes", "(SELECT coalesce(sum(received), 0) FROM unfinished_uploads)"),
        ("totals", "anonymous_bytes", f"({owned('IS NULL')})"), ("users", "stored_bytes", f"({owned('= users.seq')})"),
        ("memes", "like_count", "(SELECT count(*) FROM likes WHERE meme = memes.seq)"),
        ("memes", "favorite_count", "(SELECT count(*) FROM favorites WHERE meme = memes.seq)"),
        ("memes", "comment_count", "(SELECT count(*) FROM comments WHERE meme = memes.seq AND deleted_at IS NULL)"),
        ("memes", "share_count", "(SELECT coalesce(sum(count), 0) FROM shares WHERE meme = memes.seq)"),
        ("users", "followers", "(SELECT count(*) FROM follows WHERE followed = users.seq)"),
        ("users", "following", "(SELECT count(*) FROM follows WHERE follower = users.seq)"),
        ("users", "last_change", LAST_CHANGE), ("users", "last_notified", LAST_NOTIFIED),
    ] + [
        ("users", column, f"(SELECT count(*) FROM memes WHERE author = users.seq AND visibility = {number} AND deleted_at IS NULL)")
        for number, column in enumerate(("public_memes", "friends_memes", "private_memes"))
    ]
    wrong = []
    for table, column, expression in checks:
        (count,) = lite.execute(
            f"SELECT count(*) FROM {table} WHERE {column} IS NOT {expression}").fetchone()
        if count:
            wrong.append(f"{table}.{column}: {count}")
    stray = lite.execute(
        """
        SELECT count(*) FROM memes WHERE author IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM changes WHERE meme = memes.id AND author = memes.author AND deleted_at IS memes.deleted_at)
        """).fetchone()[0]
    if stray:
        wrong.append(f"changes: {stray}")
    return wrong


# --- A user with more than a thousand notifications ------------------------------------------------------------------


def play_thousand(world):
    """The oldest notifications go when there are more than a thousand."""
    for _ in range(3):
        world.db.on_both("BEGIN")
        world.register()
        world.db.on_both("COMMIT")
    one, other, third = [row[0] for row in world.look("SELECT seq FROM users ORDER BY seq DESC LIMIT 3")]
    world.db.on_both("BEGIN")
    for _ in range(1010):
        seq = world.make(author=one, pictures=False)
        world.now += 1000
        world.db.q(
            'INSERT INTO likes (seq, "user", meme, created_at) VALUES (:seq, :user, :meme, :at)',
            {"seq": world.next("likes"), "user": other, "meme": seq, "at": world.now})
    world.db.on_both("COMMIT")
    count = world.look('SELECT count(*) FROM notifications WHERE "user" = ?', one)[0][0]
    assert count == 1000, count
    world.compare()
    world.db.on_both("BEGIN")
    world.db.q(
        'UPDATE notifications SET is_read = TRUE WHERE "user" = :user AND NOT is_read AND place <= :last',
        {"user": one, "last": 2**62})
    # Withdraws and repeats some, all at once and one by one.
    world.db.q(
        """DELETE FROM likes WHERE "user" = :user AND seq IN (SELECT seq FROM likes WHERE "user" = :user ORDER BY seq DESC LIMIT 50)""",
        {"user": other})
    for meme, in world.look("SELECT seq FROM memes WHERE author = ? ORDER BY seq DESC LIMIT 60", one):
        for user in (other, third):
            world.db.q(
                'INSERT INTO likes (seq, "user", meme, created_at) VALUES (:seq, :user, :meme, :at) ON CONFLICT DO NOTHING',
                {"seq": world.next("likes"), "user": user, "meme": meme, "at": world.now})
    world.db.on_both("COMMIT")
    world.compare()
    world.compare_folded()


# --- The program -----------------------------------------------------------------------------------------------------


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser.add_argument("--migrations", default=f"{root}/migrations", help="the folder of the SQLite migrations")
    parser.add_argument("--numbers", default=f"{root}/migrations/0027_numbers_per_person.sql")
    parser.add_argument(
        "--base", nargs="+", default=base(root), help="the schema, and later migrations that change only triggers")
    parser.add_argument("--host", required=True, help="the folder of PostgreSQL's socket")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--every", type=int, default=20, help="compare all rows after this many steps")
    parser.add_argument("--before", type=int, default=0, help="the number of steps on SQLite before 0027")
    parser.add_argument("--break", dest="fault", help="SQL that damages PostgreSQL's schema, to see that it is found")
    parser.add_argument("--keep", help="saves SQLite's database to this file at the end; PostgreSQL's is parity_SEED")
    parser.add_argument("--thousand", action="store_true", help="also play a user with more than 1000 notifications")
    options = parser.parse_args()

    files = sorted(glob.glob(f"{options.migrations}/00*.sql"))
    files = [file for file in files if os.path.basename(file) < "0027"]
    assert len(files) == 26, files
    lite = open_lite(":memory:")
    migrate(lite, files)
    pg = open_pg(options.host, f"parity_{options.seed}", options.base)

    world = World(Engines(lite, None), options.seed, is_new=False)
    if options.before:
        play(world, options.before, options.before)
        print("before 0027:", sum(world.done.values()), "steps,", check_counts_before(lite))
    kept = check_migration(lite, options.numbers)
    print("0027 kept %d changes and %d notifications; counters begin at %d and %d" % kept)

    compared, differences = compare_schemas(lite, pg)
    print(f"schemas: {compared} things compared, {len(differences)} differences")
    for difference in differences:
        print(difference)

    move(lite, pg)
    if options.fault:
        pg.execute(options.fault)
    world.db = Engines(lite, pg)
    world.is_new = True
    try:
        world.compare()
        if options.thousand:
            play_thousand(world)
        play(world, options.steps, options.every)
        world.compare_folded()
        tried = world.sweep()
    except Different as error:
        print(f"DIFFERENT, seed {options.seed}: {error}")
        return 1
    wrong = check_counts(lite)
    if options.keep:
        if os.path.exists(options.keep):
            os.remove(options.keep)
        lite.execute("VACUUM INTO ?", (options.keep,))
    print(f"seed {options.seed}: {options.steps} steps, {world.db.statements} statements on both engines, equal")
    print(f"  {world.db.failures} statements failed on both, for the same reason: {dict(world.db.kinds)}")
    print(f"  {tried} of the statements tried wrong values in every column")
    print(f"  {world.aligned} changes of one statement had their numbers exchanged")
    print("  steps:", ", ".join(f"{name} {count}" for name, count in sorted(world.done.items())))
    print("  rejected:", ", ".join(f"{name} {count}" for name, count in sorted(world.rejected.items())))
    print("  rows:", ", ".join(
        f"{table} {lite.execute(f'SELECT count(*) FROM {table}').fetchone()[0]}" for table in lite_tables(lite)))
    print("  wrong counters:", wrong or "none")
    return 1 if differences or wrong else 0


def check_counts_before(lite):
    return "highest change %d, highest place %d" % lite.execute(
        "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0), notified FROM totals").fetchone()


if __name__ == "__main__":
    sys.exit(main())
