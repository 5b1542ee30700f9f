#!/usr/bin/env python3
"""Prints one message of an app group as a content extension shows it: the texts, the files and the buttons.

usage: show_message.py GROUP_DIRECTORY MESSAGE_ID

MESSAGE_ID is the id of the request, or the provider's id of the message; the latest message with it is shown. Each line has
the name of a part and its values, separated by tabs: title, subtitle, body; file, poster and mask with the MIME type and the
path; button with its identifier, its title, "active" or "expired", and the link that it opens. The button "accept" is active until the expiry of the
message. After the expiry, the text for this time is shown. If a file was evicted, the fallback text is shown.

It uses SQLite and files alone, beside a daemon or without one. docs/reference/store-format.md says what a reader can rely on.

Exit status: 0 if the message is there, 1 if it is unknown or the index cannot be read, 2 for wrong usage.
"""

import json
import pathlib
import sqlite3
import sys
import time

MESSAGE = """
    SELECT id, outcome, title, subtitle, body, fallback, expired, actions, expiresAt FROM message
    WHERE (id = :id OR providerId = :id) AND prefetchedFor IS NULL
    ORDER BY id = :id DESC, emittedAt DESC LIMIT 1
"""
FILES = """
    SELECT role, kind, mimeType, path FROM messageFile
    WHERE messageId = ? AND role IN ('attachment', 'mask') AND kind <> 'thumbnail' ORDER BY position, kind
"""
LINES = ("title", "subtitle", "body")


def show(directory, message, rows, now):
    is_expired = message["expiresAt"] is not None and message["expiresAt"] <= now
    # A fallback has files for other purposes at most, such as the mask of a video that is not there.
    rows = rows if message["outcome"] not in ("fallback", "cancelled") else []
    # A file may have been evicted since its row was read.
    files = [(role, kind, type, directory / path) for role, kind, type, path in rows if (directory / path).is_file()]
    is_shown = any((role, kind) == ("attachment", "attachment") for role, kind, *_ in files)
    text = {line: message[line] for line in LINES}
    if is_expired and message["expired"]:
        text = json.loads(message["expired"])
    elif not is_shown and message["fallback"]:
        text = json.loads(message["fallback"])
    for line in LINES:
        if text.get(line):
            print(line, text[line], sep="\t")
    for role, kind, type, path in files if is_shown else []:
        print("mask" if role == "mask" else "poster" if kind == "poster" else "file", type, path, sep="\t")
    for action in json.loads(message["actions"] or "[]"):
        is_active = action["identifier"] != "accept" or not is_expired
        link = [action["link"]] if "link" in action else []
        print("button", action["identifier"], action["title"], "active" if is_active else "expired", *link, sep="\t")


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    directory = pathlib.Path(arguments[0])
    index = (directory / "index.sqlite").absolute().as_uri() + "?mode=ro"
    try:
        connection = sqlite3.connect(index, uri=True, timeout=1)
        connection.row_factory = sqlite3.Row
        message = connection.execute(MESSAGE, {"id": arguments[1]}).fetchone()
        rows = connection.execute(FILES, (message["id"],)).fetchall() if message else []
        connection.close()
    except sqlite3.Error as error:
        print(f"{directory}/index.sqlite: {error}", file=sys.stderr)
        return 1
    if not message:
        print(f"{directory}: no message {arguments[1]}", file=sys.stderr)
        return 1
    show(directory, message, rows, time.time())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
