"""The console examples of a page, and the comparison of what a page shows with what a command printed."""

import re

SAME = [
    # Parts that differ between two runs, and the word that replaces them on both sides.
    (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "ID"),
    (r"\b[0-9a-f]{2}/[0-9a-f]{4,64}…?", "DIGEST"),
    (r"\b[0-9a-f]{64}\b", "DIGEST"),
    (r"(?<=/)[0-9a-f]{4,64}…?(?=\.journal)", "DIGEST"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "DATE"),
    (r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", "DATE"),
    (r"(?<=[ (])[\d,]+(\.\d+)? (ms|s|min|h)\b", "TIME"),
    (r'(?<=[Mm]s":) ?(null|[\d.]+)', "TIME"),
    (r"\b[\d,.]+ items a second", "RATE"),
    (r"\bprocess \d+", "process PID"),
    (r"(?m)^id: \w+-\d+$", "id: EVENT"),
    (r"[█▏▎▍▌▋▊▉]+", "BAR"),
    (r"[ \t]+", " "),
]


class Command:
    """A command of a page, with the lines that the page shows below it."""

    def __init__(self, line, text, is_root):
        self.line, self.text, self.is_root = line, text, is_root
        self.shown = []

    @property
    def is_open(self):
        """Whether the next line of the page belongs to the command."""
        document = re.search(r"<<\s*'?(\w+)'?", self.text)
        if document:
            return not self.text.endswith("\n" + document[1])
        return self.text.endswith(("\\", "|"))

    @property
    def is_background(self):
        return re.sub(r"\s+# .*", "", self.text).endswith("&")

    def matches(self, printed):
        lines = "\n".join(self.shown).rstrip("\n").split("\n")
        return _pattern(lines).fullmatch(_alike(printed).rstrip("\n") + "\n") is not None


def commands(text):
    """The commands in the console blocks of a page, in order."""
    found, prompt, is_console = [], None, False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            is_console, prompt = line == "```console", None
        elif not is_console:
            continue
        elif prompt and found[-1].is_open:
            found[-1].text += "\n" + line
        elif line.startswith(prompt or ("$ ", "# ")):
            prompt = line[:2]
            found.append(Command(number, line[2:].rstrip(), prompt == "# "))
        elif prompt:
            found[-1].shown.append(line)
        else:
            raise ValueError(f"line {number}: a console block begins with a command")
    return found


def _alike(text):
    for expression, word in SAME:
        text = re.sub(expression, word, text)
    return "\n".join(line.rstrip() for line in text.split("\n"))


def _pattern(lines):
    expression = ""
    for line in lines:
        if line.strip() == "…":
            expression += r"(?:.*\n)*"
        else:
            expression += ".*".join(re.escape(part) for part in re.split(" ?…", _alike(line))) + r"\n"
    return re.compile(expression)
