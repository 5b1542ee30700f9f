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
    (r"(?m)^id: \w+-\w+-\w+$", "id: EVENT"),
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

    @property
    def is_elided(self):
        """Whether the page shows nothing of the output but that there is some."""
        return all(line.strip() in ("", "…") for line in self.shown)

    def matches(self, printed):
        lines = "\n".join(self.shown).rstrip("\n").split("\n")
        return _pattern(lines).fullmatch(_alike(printed).rstrip("\n") + "\n") is not None


def commands(text):
    """The commands in the console blocks of a page, in order. A block in a list is indented."""
    found, prompt, fence = [], None, None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r" *(```+|~~~+) *(.*)", line)
        if fence is None:
            if mark:
                fence, kind, indent, prompt = mark[1], mark[2].strip(), len(line) - len(line.lstrip()), None
            continue
        if mark and mark[1].startswith(fence) and not mark[2].strip():
            fence = None
            continue
        line = line[indent:] if not line[:indent].strip() else line
        if kind != "console":
            if line.startswith("$ "):
                raise ValueError(f"line {number}: a command is in a block of the kind {kind or 'none'}: write console")
        elif prompt and found[-1].is_open:
            found[-1].text += "\n" + line
        elif line.startswith(prompt or ("$ ", "# ")):
            prompt = line[:2]
            found.append(Command(number, line[2:].rstrip(), prompt == "# "))
        elif prompt:
            found[-1].shown.append(line)
        else:
            raise ValueError(f"line {number}: a console block begins with a command")
    if fence is not None:
        raise ValueError(f"line {number}: the last block has no end")
    return found


def flags(text):
    """The calls of appgroupd on a page, in blocks of any kind and in text: their words, and the flags that they have.

    Each row has the line, the words that may name a command, and a flag.
    """
    found = []
    joined = re.sub(r"\\\n *", lambda match: " " * len(match[0]), text)
    for call in re.finditer(r"\bappgroupd((?: +[a-z][a-z-]*)+)((?:[^`\n|;&<>()]|<<)*)", joined):
        words = call[1].split()
        for flag in re.finditer(r"(?<![\w-])--[a-z][a-z-]*", call[2]):
            line = text.count("\n", 0, call.start(2) + flag.start()) + 1
            found.append((line, words, flag[0]))
    return found


def _alike(text):
    for expression, word in SAME:
        text = re.sub(expression, word, text)
    return "\n".join(line.rstrip() for line in text.split("\n"))


def _pattern(lines):
    expression = ""
    for line in lines:
        if line.strip() == "…":
            # An error message is never among the lines that a page leaves out.
            expression += r"(?:(?!appgroupd: |curl: \().*\n)*"
        else:
            expression += ".*".join(re.escape(part) for part in re.split(" ?…", _alike(line))) + r"\n"
    return re.compile(expression)
