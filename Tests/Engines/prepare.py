#!/usr/bin/env python3
"""Prepares the golden statements of the storage tests on PostgreSQL.

First with nothing but `?` and `?N` replaced by `$n`, and prints for each statement `ok` or the first error. Then with the
proposed texts, rule by rule: the portable ones are also prepared on SQLite, where the plan must stay the same; the
dialect's are for PostgreSQL alone.

With --rows FILE (from parity.py --keep), runs each statement on both engines with some parameters, and compares the rows.

Usage: prepare.py --statements FOLDER [--database NAME] [--rows FILE] [--show NAME] [--plans]
"""

import argparse
import collections
import glob
import os
import random
import re
import sqlite3
import sys

import psycopg
from psycopg import pq

from parity import migrate, normal, open_lite, open_pg, order


def statements(folder):
    for path in sorted(glob.glob(f"{folder}/*.sql")):
        name, lines = None, []
        for line in open(path).read().split("\n") + ["-- name: "]:
            if line.startswith("-- name: "):
                if name:
                    yield f"{os.path.basename(path)[:-4]}: {name}", "\n".join(lines).strip().rstrip(";")
                name, lines = line[9:], []
            elif name and line:
                lines.append(line)


def numbered(sql):
    """`?N` as `$N`, and each `?` without a number as the next one."""
    if re.search(r"\?\d", sql):
        return re.sub(r"\?(\d+)", r"$\1", sql)
    numbers = iter(range(1, 99))
    return re.sub(r"\?", lambda _: f"${next(numbers)}", sql)


# --- Parsing ---------------------------------------------------------------------------------------------------------


def closing(sql, start):
    """The place of the parenthesis that closes the one at `start`."""
    depth = 0
    for place in range(start, len(sql)):
        depth += {"(": 1, ")": -1}.get(sql[place], 0)
        if depth == 0:
            return place
    raise ValueError(sql[start:start + 80])


def parts(text):
    found, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            found.append(text[start:place].strip())
            start = place + 1
    return found + [text[start:].strip()]


# --- Rules -----------------------------------------------------------------------------------------------------------


def quote_user(sql):
    """The column `user` is a word of the language."""
    return re.sub(r'(?<!["\w])user(?!["\w])', '"user"', sql)


def booleans(sql):
    """TRUE and FALSE as conditions. As a column of the result, 0 and 1 stay: the reader of Bool accepts them."""
    sql = re.sub(r"\b(AND|WHERE|OR|ON) 1(?=\s|\)|$)", r"\1 TRUE", sql)
    sql = re.sub(r"\b(AND|WHERE|OR|ON) 0(?=\s|\)|$)", r"\1 FALSE", sql)
    sql = re.sub(r"\((1|0)((?:\s|--[^\n]*\n)+)(OR|AND)\b", lambda m: f"({'TRUE' if m[1] == '1' else 'FALSE'}{m[2]}{m[3]}", sql)
    sql = re.sub(r"\bSELECT 1 AS counts\b", "SELECT TRUE AS counts", sql)
    return sql


def coalesced_conditions(sql):
    """`coalesce(condition, 0)` and `condition OR coalesce(…, 0)`."""
    return re.sub(
        r"coalesce\((\w+\.author = \(SELECT seq FROM users WHERE id = \?1\)), 0\)", r"coalesce(\1, FALSE)", sql)


def read_flags(sql):
    return re.sub(r"((?:\w+\.)?is_read) = 0", r"NOT \1", re.sub(r"SET is_read = 1", "SET is_read = TRUE", sql))


def distinct(sql):
    sql = re.sub(r"\bIS NOT (?!NULL\b|DISTINCT\b)", "IS DISTINCT FROM ", sql)
    return re.sub(r"\bIS (?!NOT\b|NULL\b|DISTINCT\b)", "IS NOT DISTINCT FROM ", sql)


def without_iif(sql):
    while (match := re.search(r"\biif\(", sql)):
        end = closing(sql, match.end() - 1)
        condition, yes, no = parts(sql[match.end():end])
        sql = f"{sql[:match.start()]}CASE WHEN {condition} THEN {yes} ELSE {no} END{sql[end + 1:]}"
    return sql


def named_subqueries(sql):
    """A subquery in FROM needs a name before PostgreSQL 16."""
    place, count = 0, 0
    while (match := re.compile(r"\bFROM \(").search(sql, place)):
        end = closing(sql, match.end() - 1)
        place = match.end()
        if not re.match(r"\s+AS\b", sql[end + 1:]):
            count += 1
            sql = f"{sql[:end + 1]} AS part{count}{sql[end + 1:]}"
    return sql


def limit_of_condition(sql):
    place = 0
    while (match := re.compile(r"\bLIMIT \((?=EXISTS)").search(sql, place)):
        end = closing(sql, match.end() - 1)
        place = match.end()
        sql = f"{sql[:match.end() - 1]}CASE WHEN {sql[match.end() - 1:end + 1]} THEN 1 ELSE 0 END{sql[end + 1:]}"
    return sql


def last_character(sql):
    """Here a literal. In Swift, the server can bind the end of the range instead."""
    return sql.replace("char(0x10FFFF)", "'\U0010FFFF'")


def json_parts(sql):
    """SQLite has ->> since 3.38."""
    sql = re.sub(r"json_extract\(wanted\.value, '\$\[0\]'\)", "CAST(wanted.value ->> 0 AS bigint)", sql)
    sql = re.sub(r"json_extract\(wanted\.value, '\$\[1\]'\)", "(wanted.value ->> 1)", sql)
    sql = re.sub(r"json_extract\((memes\.captions), '\$\[0\]\.text'\)", r"(\1 -> 0 ->> 'text')", sql)
    return re.sub(r"= wanted\.value\b(?! ->>)", "= CAST(wanted.value AS bigint)", sql)


def sums_as_integers(sql):
    """The sum of bigints is numeric."""
    return re.sub(r"coalesce\(sum\((\w+)\), 0\)", r"CAST(coalesce(sum(\1), 0) AS bigint)", sql)


def index_of_user(sql):
    """0027 replaces the index by the primary key."""
    return sql.replace(" INDEXED BY notifications_of_user", "")


def due_notifications(sql):
    return re.sub(
        r"WHERE updated_at <= \?1 AND place IN \(SELECT place FROM notifications ORDER BY place LIMIT \?2\)",
        'WHERE ("user", place) IN (\n  SELECT "user", place FROM notifications WHERE updated_at <= ?1 '
        "ORDER BY updated_at LIMIT ?2)", sql)


PORTABLE = [
    ("0027: no index notifications_of_user", index_of_user), ("0027: notifications expire by time", due_notifications),
    ('"user"', quote_user), ("TRUE/FALSE as conditions", booleans), ("coalesce(condition, FALSE)", coalesced_conditions),
    ("NOT is_read", read_flags), ("IS NOT DISTINCT FROM", distinct), ("CASE for iif", without_iif),
    ("names of subqueries", named_subqueries), ("LIMIT CASE", limit_of_condition),
    ("bound end of a range for char(0x10FFFF)", last_character), ("->> for json_extract", json_parts),
    ("CAST(sum AS bigint)", sums_as_integers),
]


def no_index(sql):
    return re.sub(r"\s+INDEXED BY \w+", "", sql)


def plain_join(sql):
    """CROSS JOIN has no condition in standard SQL."""
    return re.sub(
        r"\bCROSS JOIN (\w+(?: AS \w+)?)(\s+)ON\b", r"JOIN \1\2ON", sql)


def elements(sql):
    sql = re.sub(
        r"json_each\(\?(\d)\) AS wanted",
        r"(SELECT value, ordinality - 1 AS key FROM jsonb_array_elements(CAST(?\1 AS jsonb)) WITH ORDINALITY) AS wanted", sql)
    return re.sub(
        r"json_each\(\?(\d)\) AS beginning", r"jsonb_array_elements_text(CAST(?\1 AS jsonb)) AS beginning (value)", sql)


def as_json(sql):
    return re.sub(r"\((memes\.captions) ->", r"(CAST(\1 AS jsonb) ->", sql)


DIALECT = [("index(_:)", no_index), ("join", plain_join), ("elements(_:)", elements), ("json(_:)", as_json)]

# Statements with a text of their own.
OWN = {"search: memes that match words, newest first", "search: memes that match words, oldest first"}

# Parameters whose type does not follow from the statement. Swift knows it from the value.
BYTES, BIG, TEXT = 17, 20, 25
SHAPES = {BYTES: "bytea", BIG: "bigint", TEXT: "text"}


def classify(message):
    for pattern, name in (
            (r"at or near \"INDEXED\"|at or near \"BY\"", "INDEXED BY"), (r"subquery in FROM must have an alias", "subquery without a name"),
            (r"name = bigint|bigint = name|name = |= name", "column user without quotes"),
            (r"argument of (AND|WHERE|OR|NOT|JOIN/ON|CASE WHEN) must be type boolean", "0 or 1 as a condition"),
            (r"could not determine data type of parameter", "type of a parameter"),
            (r"function iif", "iif"), (r"argument of LIMIT must be type bigint", "LIMIT (condition)"),
            (r"0x10FFFF", "char(0x10FFFF)"), (r"at or near \"\(\"", "IS for values"), (r"json_each|json_extract", "json_each, json_extract"),
            (r"COALESCE types boolean and integer", "coalesce(condition, 0)"),
            (r"at or near \"ON\"", "CROSS JOIN … ON"), (r"rowid|MATCH", "full-text index"),
            (r"boolean = integer", "is_read = 0"), (r"column \"user\" .* name", "column user without quotes"),
            (r"at or near \"SELECT\"|at or near \"\?\"|IS ", "IS for values")):
        if re.search(pattern, message):
            return name
    return message


class Postgres:
    def __init__(self, connection):
        self.connection = connection
        self.raw = connection.pgconn

    def prepare(self, sql, types=None):
        """Returns an error, or nothing, with the types of the parameters and of the columns."""
        text = numbered(sql)
        result = self.raw.prepare(b"", text.encode(), types)
        if result.status != pq.ExecStatus.COMMAND_OK:
            return result.error_field(pq.DiagnosticField.MESSAGE_PRIMARY).decode(), [], []
        described = self.raw.describe_prepared(b"")
        return (
            None, [described.param_type(place) for place in range(described.nparams)],
            [(described.fname(place).decode(), described.ftype(place)) for place in range(described.nfields)])


def rewritten(sql, rules):
    used = []
    for name, rule in rules:
        changed = rule(sql)
        if changed != sql:
            used.append(name)
        sql = changed
    return sql, used


def plan(lite, sql):
    count = len(set(re.findall(r"\?\d+", sql))) or sql.count("?")
    highest = max([int(number) for number in re.findall(r"\?(\d+)", sql)] or [count])
    rows = lite.execute(f"EXPLAIN QUERY PLAN {sql}", [None] * highest).fetchall()
    # The names of subqueries are new.
    return [re.sub(r"\(subquery-\d+\)|part\d+", "subquery", re.sub(r"SUBQUERY \d+", "SUBQUERY", row[3])) for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser.add_argument("--statements", default=f"{root}/Tests/StorageTests/Statements/SQL")
    parser.add_argument("--migrations", default=f"{root}/migrations")
    parser.add_argument("--numbers", default=f"{root}/migrations/0027_numbers_per_person.sql")
    parser.add_argument("--base", default=f"{root}/migrations/postgres/0027_base.sql")
    parser.add_argument("--host", required=True)
    parser.add_argument("--database", help="a database with rows; without it, a new one is made")
    parser.add_argument("--rows", help="the SQLite file with the same rows")
    parser.add_argument("--show", help="prints the proposed text of the statements with this in their names")
    parser.add_argument("--plans", action="store_true", help="prints SQLite's plans that change")
    options = parser.parse_args()

    if options.database:
        connection = psycopg.connect(host=options.host, user="postgres", dbname=options.database, autocommit=True)
    else:
        connection = open_pg(options.host, "prepare", options.base)
    if options.rows:
        lite = sqlite3.connect(options.rows)
    else:
        lite = open_lite(":memory:")
        migrate(lite, sorted(glob.glob(f"{options.migrations}/00*.sql"))[:26] + [options.numbers])
    before = open_lite(":memory:")
    migrate(before, sorted(glob.glob(f"{options.migrations}/00*.sql"))[:26])
    postgres = Postgres(connection)

    first, needed, silent = collections.Counter(), collections.Counter(), []
    after, same_plan, other_plan, compared, final = collections.Counter(), 0, [], 0, []
    found = list(statements(options.statements))
    print(f"{len(found)} statements\n\n{'statement':<92} first error of PostgreSQL")
    for name, sql in found:
        error, _, columns = postgres.prepare(sql)
        odd = [f"{column} is {kind}" for column, kind in columns if kind not in KNOWN]
        kind = "ok" if error is None else classify(error)
        if error is None and (odd or re.search(r'(?<![\w."])user(?![\w"])', sql)):
            kind = "prepared, but wrong: user is CURRENT_USER"
            silent.append(name)
        first[kind] += 1
        print(f"{name[:90]:<92} {'ok' if kind == 'ok' else kind + (f'  [{error}]' if error else '')}")

        # The proposed text.
        if name in OWN:
            after["a text of its own"] += 1
            continue
        portable, used = rewritten(sql, PORTABLE)
        theirs, used_dialect = rewritten(portable, DIALECT)
        for rule in used + [f"dialect: {rule}" for rule in used_dialect]:
            needed[rule] += 1
        if options.show and options.show in name:
            print(f"---- portable\n{portable}\n---- PostgreSQL\n{numbered(theirs)}\n----")
        error, types, columns = postgres.prepare(theirs)
        if error and "determine data type of parameter" in error:
            needed["static types of parameters"] += 1
            highest = max(int(number) for number in re.findall(r"\$(\d+)", numbered(theirs)))
            guess = [0] * highest
            while error and (match := re.search(r"determine data type of parameter \$(\d+)", error)):
                number = int(match[1])
                guess[number - 1] = BYTES if number == 1 else TEXT
                error, types, columns = postgres.prepare(theirs, guess)
        odd = [f"{column} is {kind}" for column, kind in columns if kind not in KNOWN]
        after["ok" if not error and not odd else f"{error or odd}"] += 1
        if error or odd:
            final.append(f"{name}: {error or odd}")
            continue
        ours, then = plan(lite, portable), plan(before, sql)
        if ours == then:
            same_plan += 1
        else:
            other_plan.append((name, then, ours))
        if options.rows:
            compared += compare_rows(lite, connection, postgres, name, portable, theirs, types)

    print("\nFirst errors:")
    for kind, count in first.most_common():
        print(f"{count:5}  {kind}")
    print("Rules that the statements need (several for most):")
    for rule, count in needed.most_common():
        print(f"{count:5}  {rule}")
    print("With the proposed texts:")
    for kind, count in after.most_common():
        print(f"{count:5}  {kind}")
    for line in final:
        print("       ", line)
    print(f"SQLite's plan of the portable text: {same_plan} as before, {len(other_plan)} different")
    for name, then, ours in other_plan:
        print("       ", name)
        if options.plans:
            for sign, one, other in (("-", then, ours), ("+", ours, then)):
                print("\n".join(f"          {sign} {line}" for line in one if line not in other))
    if options.rows:
        print(f"{compare_words(lite, connection)} searches with the same memes on both engines")
        empty = sorted(name for name, _ in found if name not in OWN and not ROWS[name])
        print(f"{compared} runs with the same rows on both engines, {sum(ROWS.values())} rows; never a row: {empty or 'none'}")


# bool, bytea, int8, int2, int4, text, float8
KNOWN = {16, 17, 20, 21, 23, 25, 701}


def compare_rows(lite, connection, postgres, name, portable, theirs, types):
    """Runs the statement with some parameters on both engines."""
    chance = random.Random(name)
    people = [row[0] for row in lite.execute("SELECT id FROM users ORDER BY last_change + following + followers DESC LIMIT 12")]
    memes = [row[0] for row in lite.execute("SELECT id FROM memes")]
    subjects = [row[0] for row in lite.execute("SELECT subject FROM reports")]
    highest = max([int(number) for number in re.findall(r"\?(\d+)", portable)] or [portable.count("?")])
    runs = 0
    for _ in range(30):
        values = []
        for place in range(highest):
            kind = types[place] if place < len(types) else TEXT
            if kind == BYTES:
                pool = people if place == 0 else subjects or memes
                if "mark as read" in name or "sessions" in name:
                    pool = people
                values.append(chance.choice(pool + [None] if "anonymous" in name or "export" in name else pool))
            elif kind == BIG:
                values.append(chance.choice((2**62, 2**62, 0, 40, 90, 150, 200, chance.randint(0, 60))))
                if name.startswith("sync"):
                    values[-1] = chance.choice((0, 3, 100))
            elif kind in (23, 21):
                values.append(chance.randint(0, 3))
            elif kind == 3802:
                values.append("[" + ",".join(str(chance.randint(1, 250)) for _ in range(20)) + "]")
            else:
                values.append(chance.choice(("a", "b", "bo", "c", "ca", "")))
        limited(name, portable, values, chance, people, lite)
        count = len(re.findall(r"\?", portable))
        named = {f"p{place + 1}": value for place, value in enumerate(values)}
        if re.search(r"\?\d", portable):
            ours_text = re.sub(r"\?(\d+)", r":p\1", portable)
            theirs_text = re.sub(
                r"\?(\d+)", lambda match: f"%(p{match[1]})s" + shape(types, int(match[1])), theirs.replace("%", "%%"))
        else:
            numbers = iter(range(1, count + 1))
            ours_text = re.sub(r"\?", lambda _: f":p{next(numbers)}", portable)
            numbers = iter(range(1, count + 1))
            theirs_text = re.sub(r"\?", lambda _: f"%(p{next(numbers)})s", theirs.replace("%", "%%"))
        lite.execute("SAVEPOINT run")
        ours = [tuple(normal(value) for value in row) for row in lite.execute(ours_text, named)]
        lite.execute("ROLLBACK TO run")
        lite.execute("RELEASE run")
        with connection.transaction(force_rollback=True):
            cursor = connection.execute(theirs_text, named)
            others = [tuple(normal(value) for value in row) for row in cursor] if cursor.description else []
        is_ordered = "ORDER BY" in portable.split("\n")[-1] or "DESC LIMIT" in portable
        if "given " in name:
            is_ordered = False
        if (ours if is_ordered else sorted(ours, key=order)) != (others if is_ordered else sorted(others, key=order)):
            print(f"    DIFFERENT {values}\n      SQLite     {ours[:3]} ({len(ours)})\n      PostgreSQL {others[:3]} ({len(others)})")
        else:
            runs += 1
            ROWS[name] += len(ours)
    return runs


ROWS = collections.Counter()


def compare_words(lite, connection):
    """The searches that have a text of their own: meme_words is a full-text index on SQLite, and a table on PostgreSQL.

    The phrase of a search is not among them: the server looks at the texts of the memes that contain its words.
    """
    words = [row[0] for row in connection.execute("SELECT DISTINCT word FROM meme_words ORDER BY word")]
    authors = [row[0] for row in lite.execute("SELECT seq FROM users ORDER BY public_memes DESC LIMIT 3")]
    pairs = [(one,) for one in words] + [(one, other) for one in words for other in words if one != other]
    runs = 0
    for chosen in pairs:
        for author in [None] + authors:
            for kind in ("anywhere", "captions", "rest"):
                all_words = " AND ".join(f'"{word}"' for word in chosen)
                match = {
                    "anywhere": f"({{captions alt_text}} : ({all_words}))", "captions": f"(captions : ({all_words}))",
                    "rest": f"(({{captions alt_text}} : ({all_words})) NOT (captions : ({all_words})))"}[kind]
                if author:
                    match += f' AND author : "{author}"'
                ours = lite.execute(
                    "SELECT -rowid FROM meme_words WHERE meme_words MATCH ? AND rowid > ? ORDER BY rowid LIMIT 31",
                    (match, -2**62)).fetchall()
                place = {"anywhere": "TRUE", "captions": "{}.place = 0", "rest": "TRUE"}[kind]
                names = [f"w{number}" for number in range(len(chosen))]
                conditions = ["w0.word = %s", "w0.meme < %s", place.format("w0")]
                if author:
                    conditions.append(f"w0.author = {author}")
                conditions += [
                    f"EXISTS (SELECT 1 FROM meme_words AS {name} WHERE {name}.word = %s AND {name}.meme = w0.meme "
                    f"AND {place.format(name)})" for name in names[1:]]
                values = [chosen[0], 2**62, *chosen[1:]]
                if kind == "rest":
                    conditions.append(" OR ".join(
                        ["(w0.place = 1"] + [
                            f"EXISTS (SELECT 1 FROM meme_words AS {name} WHERE {name}.word = %s AND {name}.meme = w0.meme "
                            f"AND {name}.place = 1)" for name in names[1:]]) + ")")
                    values += chosen[1:]
                theirs = connection.execute(
                    f"SELECT w0.meme FROM meme_words AS w0 WHERE {' AND '.join(conditions)} ORDER BY w0.meme DESC LIMIT 31",
                    values).fetchall()
                if ours != theirs:
                    print("    DIFFERENT words", chosen, author, kind, ours[:5], theirs[:5])
                runs += 1
    return runs


def shape(types, number):
    kind = types[number - 1] if number <= len(types) else None
    return f"::{SHAPES[kind]}" if kind in SHAPES else ""


def limited(name, sql, values, chance, people, lite):
    """Makes the parameters of LIMIT and OFFSET small, and those of lists of people plausible."""
    for number in re.findall(r"LIMIT \?(\d+)", sql):
        values[int(number) - 1] = chance.choice((3, 10, 31))
    if not re.search(r"\?\d", sql) and "LIMIT ?" in sql:
        values[-1] = chance.choice((3, 10, 31))
    if "given people" in name:
        pairs = []
        for _ in range(8):
            seq = chance.choice([row[0] for row in lite.execute("SELECT seq FROM users")])
            word = chance.choice([row[0] for row in lite.execute("SELECT word FROM user_words WHERE kind = 1")])
            pairs.append(f'[{seq},{"null" if chance.random() < 0.4 else chr(34) + word + chr(34)}]')
        values[1], values[3] = f"[{','.join(pairs)}]", chance.choice(('[]', '["a"]', '["c","b"]', '["c"]'))
        values[2], values[4] = chance.choice(("a", "c", "cat")), chance.choice((None, "a", "bob"))
    if "people with the prefix" in name:
        values[0] = chance.choice((0, 1))
        values[2] = chance.choice((0, 20))
        values[3] = chance.choice(("a", "b", "c"))
        values[1] = values[3]
    if name.startswith(("relations", "reactions", "comments: comments on", "comments: the")) and len(values) > 1 \
            and isinstance(values[1], int):
        values[1] = chance.choice([row[0] for row in lite.execute(
            'SELECT meme FROM likes GROUP BY meme ORDER BY count(*) DESC LIMIT 4' if not name.startswith("relations")
            else "SELECT seq FROM users ORDER BY followers DESC LIMIT 5")])
    if name.startswith("memes") and len(values) > 3:
        values[3] = chance.choice([row[0] for row in lite.execute(
            "SELECT seq FROM users ORDER BY public_memes DESC LIMIT 4")]) if "scan" not in name else chance.choice((0, 50, 2**62))
    if name.startswith("feed"):
        values[0] = chance.choice([row[0] for row in lite.execute("SELECT seq FROM users ORDER BY following DESC LIMIT 4")])
        if len(values) > 3:
            values[3] = chance.choice((0, 30, 60))
    if name.startswith("reports") and "status" in sql.split("WHERE")[-1] and isinstance(values[0], int):
        values[0] = chance.choice((0, 1, 2))


if __name__ == "__main__":
    sys.exit(main())
