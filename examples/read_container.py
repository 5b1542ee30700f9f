#!/usr/bin/env python3
"""Prints the files of a message in an app group's container, as a content extension finds them.

usage: read_container.py GROUP_DIRECTORY MESSAGE_ID

MESSAGE_ID is the id of the request, or the provider's id of the message; the latest message with it is shown. Each line
has the position, the role, the kind, the MIME type, the size in bytes and the path of a file, separated by tabs.

It uses SQLite and files alone, beside a daemon or without one. docs/reference/store-format.md says what a reader can rely on.

Exit status: 0 if all files are there, 1 if the message is unknown or a file is gone, 2 for wrong usage.
"""

import pathlib
import sqlite3
import sys

QUERY = """
    SELECT position, role, kind, mimeType, bytes, path FROM messageFile
    WHERE messageId = (SELECT messageId FROM messageFile JOIN message ON message.id = messageId
                       WHERE messageId = :id OR messageFile.providerId = :id
                       ORDER BY messageId = :id DESC, emittedAt DESC LIMIT 1)
    ORDER BY position, kind
"""


def files(directory, message):
    """The rows of a message. The database is opened for reading only: nothing is made or changed."""
    index = (directory / "index.sqlite").absolute().as_uri() + "?mode=ro"
    connection = sqlite3.connect(index, uri=True, timeout=1)
    try:
        return connection.execute(QUERY, {"id": message}).fetchall()
    finally:
        connection.close()


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    directory, message = pathlib.Path(arguments[0]), arguments[1]
    try:
        rows = files(directory, message)
    except sqlite3.Error as error:
        print(f"{directory}/index.sqlite: {error}", file=sys.stderr)
        return 1
    if not rows:
        print(f"{directory}: no message {message}", file=sys.stderr)
        return 1
    status = 0
    for *columns, size, path in rows:
        file = directory / path
        # It may have been evicted since the row was read.
        if not file.is_file() or file.stat().st_size != size:
            print(f"{file}: gone", file=sys.stderr)
            status = 1
            continue
        print(*columns, size, file, sep="\t")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
