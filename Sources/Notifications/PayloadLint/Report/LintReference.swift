/// The text of `docs/use/lint.md`, which is generated from the table of rules.
package enum LintReference {
    package static var markdown: String {
        ([introduction, contents] + LintFamily.all.map(section)).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Lint

        `appgroupd lint FILE…` checks payloads before they are sent, and says how to correct them. The file name `-` \
        stands for
        standard input. `lint` sends and changes nothing, and needs no daemon. For example:

        ```console
        $ cat > push.json <<'END'
        {
          "aps": {
            "alert": {"title": "Coach says hi", "body": "Tap to play the message."},
            "mutableContent": 1,
            "sound": "default"
          },
          "image": "http://cdn.example/photo.jpg"
        }
        END
        $ appgroupd lint push.json
        push.json:4:5: error: "mutableContent" is not a key of aps; did you mean mutable-content? [misspelt-key]
          fix: Rename it to mutable-content
        push.json:7:3: warning: the media URL is plain http [plain-http]
          fix: Write https, and check that the server supports it
        1 error, 1 warning, 0 notes in 1 file
        ```

        On a terminal, `lint` also shows the line of each finding with a caret below the place, wraps messages to the \
        width of the
        terminal, and colours the severities.

        A file can have several payloads or envelopes, one after the other or in an array. For each object, a rule \
        reports at
        most 100 findings. If several rules find a mistake at the same place, only the most specific rule reports the \
        mistake.

        | severity | meaning |
        |---|---|
        | error | a push service refuses the payload, or a part of the payload has no effect |
        | warning | the payload is sent, but a part of the payload is probably a mistake |
        | note | the payload has a property that you should know about, but that is probably no mistake |

        | exit status | meaning |
        |---|---|
        | 0 | there is no error; there may be warnings and notes |
        | 1 | there is an error, or a file cannot be read |
        | 2 | wrong usage or configuration |

        | flag | effect |
        |---|---|
        | `--strict` | the exit status is 1 for a warning, too |
        | `--ignore RULE` | leaves out the findings of this rule |
        | `--min-severity warning` | leaves out findings below this severity. The exit status does not change |
        | `--fetch` | downloads each media item to a temporary file, and also checks the bytes of the file |
        | `--now TIME` | compares the expiry of messages with this time instead of the present time |
        | `--format json` | prints an array of `{file, line, column, rule, severity, pointer, message, fix}` |
        | `--format sarif` | prints the findings in SARIF 2.1.0, which code hosts can display |

        `lint.failOn` and `lint.ignore` in the [configuration](../operate/configuration.md#lint) of a project (`--config \
        FILE`)
        have the same effect as `--strict` and `--ignore`. The configuration and `--allow-address` permit private \
        addresses
        from which `--fetch` may download. The rule `private-host` does not report permitted addresses. If any address \
        is
        permitted, `private-host` does not report host names either.

        Lines and columns are numbered from 1. A column is one Unicode scalar. `pointer` is a JSON pointer (RFC 6901) \
        to the
        place of the mistake. The pointer begins with `/payload` for a payload in an envelope, and with `/2` for the \
        third
        element of an array.

        This page is generated from the table of rules, by `REWRITE_GOLDENS=1 swift test --enable-swift-testing --filter LintReferenceTests`.
        """

    private static var contents: String {
        let rows = LintFamily.all.flatMap { family in
            family.rules.map { "| [`\($0.id)`](#\($0.id)) | \($0.severity.rawValue) | \(cell($0.meaning)) |" }
        }
        return (["## Rules", "", "| rule | severity | meaning |", "|---|---|---|"] + rows).joined(separator: "\n")
    }

    private static func section(_ family: LintFamily) -> String {
        let rules = family.rules.map { rule in
            "### \(rule.id)\n\n*\(rule.severity.rawValue)*: \(cell(rule.meaning))\n\n\(cell(rule.source))"
        }
        return (["## \(family.name)"] + rules).joined(separator: "\n\n")
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
