/// `docs/lint.md`, written from the table of rules.
package enum LintReference {
    package static var markdown: String {
        ([introduction, contents] + LintFamily.all.map(section)).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Lint

        `appgroupd lint FILE…` checks payloads before they are sent, and says how to correct them. `-` is standard \
        input. Nothing
        is sent or changed, and no daemon is needed. For example:

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

        A file can have several payloads or envelopes, one after the other or in an array. For one object, at most 100 \
        findings
        of each rule are reported. If several rules find the same place, the most specific rule reports it.

        | severity | meaning |
        |---|---|
        | error | a push service refuses the payload, or a part of the payload has no effect |
        | warning | the payload is sent, but a part of it is probably a mistake |
        | note | the payload has something that you should know |

        | exit status | meaning |
        |---|---|
        | 0 | there is no error; there may be warnings and notes |
        | 1 | there is an error, or a file cannot be read |
        | 2 | wrong usage or configuration |

        | flag | effect |
        |---|---|
        | `--strict` | a warning makes the exit status 1, too |
        | `--ignore RULE` | leaves out a rule |
        | `--min-severity warning` | leaves out findings below this severity. The exit status does not change |
        | `--fetch` | downloads each media item to a temporary file, and checks its bytes too |
        | `--now TIME` | the time that decides whether a message has expired |
        | `--format json` | prints an array of `{file, line, column, rule, severity, pointer, message, fix}` |
        | `--format sarif` | prints SARIF 2.1.0, for code hosts |

        `lint.failOn` and `lint.ignore` in the [configuration](configuration.md#lint) do the same as `--strict` and \
        `--ignore`
        for a project (`--config FILE`). The configuration also says which addresses `--fetch` may fetch from
        (`--allow-address`). `private-host` does not report addresses that the configuration permits.

        Lines and columns count from 1, and columns count Unicode scalars. `pointer` is a JSON pointer (RFC 6901) into \
        the
        object. For an envelope it begins with `/payload`, and for the third element of an array with `/2`.

        This page is generated from the table of rules: `REWRITE_GOLDENS=1 swift test --filter LintReferenceTests`.
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
