#!/usr/bin/env python3
"""Prints the messages of an app group, the newest first, as an app shows its list.

usage: list_messages.py GROUP_DIRECTORY [--since SEQUENCE]

Each line has a mark, the time, the outcome, the id, the title, the body and the path of a thumbnail or "-", separated by
tabs. The mark is "=" for a message of the whole list, and with --since "+" for a new, "~" for a changed and "-" for a
removed one. The last line has the sequence number from which the next call continues. If the index no longer has all
changes since a number, the whole list is printed.

It uses SQLite and files alone, beside a daemon or without one. docs/reference/store-format.md says what a reader can rely on.

Exit status: 0, 1 if the index cannot be read, 2 for wrong usage.
"""

import pathlib
import sqlite3
import sys
import time

# A silent push shows nothing.
MESSAGES = """
    SELECT id, emittedAt, coalesce(outcome, ''), coalesce(title, ''), coalesce(body, '') FROM message
    WHERE prefetchedFor IS NULL {} ORDER BY emittedAt DESC, id DESC
"""
# A thumbnail, or the still of a video, or the image itself. A fallback shows no attachment.
THUMBNAIL = """
    SELECT path FROM messageFile
    WHERE messageId = ? AND role = 'attachment' AND coalesce(outcome, '') NOT IN ('fallback', 'cancelled')
        AND (kind <> 'attachment' OR mimeType LIKE 'image/%')
    ORDER BY position, kind = 'thumbnail' DESC, kind = 'poster' DESC LIMIT 1
"""


def changes(connection, since):
    """The last sequence number, and the mark of each message that has changed since a number; None for all messages."""
    complete_after, last = connection.execute("SELECT completeAfter, last FROM changeRange").fetchone()
    if since is None or not complete_after <= since <= last:
        return last, None
    marks = {}
    for message, change in connection.execute(
            "SELECT messageId, change FROM changes WHERE sequence > ? ORDER BY sequence", (since,)):
        # A message that was added and then changed is new for this reader.
        marks[message] = "+" if change == "added" or marks.get(message) == "+" else "~"
    return last, marks


def show(directory, connection, since):
    last, marks = changes(connection, since)
    condition = "" if marks is None else "AND id IN (SELECT messageId FROM changes WHERE sequence > :since)"
    for message, emitted, *texts in connection.execute(MESSAGES.format(condition), {"since": since}).fetchall():
        row = connection.execute(THUMBNAIL, (message,)).fetchone()
        # The file may have been evicted since its row was read.
        file = row and (directory / row[0]).is_file() and directory / row[0]
        outcome, *lines = (text.replace("\t", " ").replace("\n", " ") for text in texts)
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(emitted))
        print("=" if marks is None else marks.pop(message), moment, outcome, message, *lines, file or "-", sep="\t")
    for message in marks or ():
        if not connection.execute("SELECT 1 FROM message WHERE id = ?", (message,)).fetchone():
            print("-", "", "", message, "", "", "-", sep="\t")
    print("sequence", last, sep="\t")


def main(arguments):
    has_since = len(arguments) == 3 and arguments[1] == "--since" and arguments[2].isdecimal()
    if len(arguments) != 1 and not has_since:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    directory = pathlib.Path(arguments[0])
    index = (directory / "index.sqlite").absolute().as_uri() + "?mode=ro"
    try:
        connection = sqlite3.connect(index, uri=True, timeout=1, isolation_level=None)
        # All queries see one state of the index, so that no change is between the list and its sequence number.
        connection.execute("BEGIN")
        show(directory, connection, int(arguments[2]) if has_since else None)
        connection.close()
    except sqlite3.Error as error:
        print(f"{directory}/index.sqlite: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
