/// `docs/lint.md`, written from the table of rules.
package enum LintReference {
    package static var markdown: String {
        ([introduction, contents] + LintFamily.all.map(section)).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Lint

        `appgroupd lint FILE…` says what is wrong with payloads before they are sent: `-` is standard input, an envelope is
        looked into, several objects of one file and the elements of an array are looked at one after the other. Nothing is
        fetched unless `--fetch` says so, no daemon is needed, and nothing is changed.

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
        push.json:4:5: error: "mutableContent" is no key of aps; did you mean mutable-content? [misspelt-key]
          fix: Rename it to mutable-content
        push.json:7:3: warning: the media URL is plain http [plain-http]
          fix: Write https, and let the server answer it
        1 error, 1 warning, 0 notes in 1 file
        ```

        Status 1: there is an error, or a file cannot be read. Status 0: neither, though there may be warnings and notes.
        With `--strict` a warning ends with status 1, too. `--ignore RULE` leaves a rule out; `lint.failOn` and `lint.ignore`
        in the [configuration](configuration.md#lint) do the same for a project (`--config FILE`). `--min-severity` leaves out
        what is less; it does not change the status. `--format json` is an array of
        `{file, line, column, rule, severity, pointer, message, fix}`; `pointer` is a JSON pointer (RFC 6901) into the
        object, which for an envelope begins with `/payload`, and for the third element of an array with `/2`. `--format sarif` is SARIF 2.1.0, for code hosts. Lines and
        columns count from 1, columns in Unicode scalars. Of one rule at most 100 findings are told of one object. Where
        several rules meet at one place, a rule that knows what is wrong takes precedence over one that knows only that
        nobody reads it.

        `--fetch` fetches each medium, by the policy of the configuration (`--allow-address` and its kin), into nameless
        files that are gone at the end, and judges what is there. Addresses that are allowed are no `private-host`. Messages that expire are judged by now, or by `--now`.

        | severity | says |
        |---|---|
        | error | it is refused, or a part of it does nothing |
        | warning | it is sent, and something of it is probably not as it was meant |
        | note | worth knowing |

        This page is made from the table of rules; `REWRITE_GOLDENS=1 swift test --filter LintReferenceTests` rewrites it.
        """

    private static var contents: String {
        let rows = LintFamily.all.flatMap { family in
            family.rules.map { "| [`\($0.id)`](#\($0.id)) | \($0.severity.rawValue) | \(cell($0.meaning)) |" }
        }
        return (["## Rules", "", "| rule | severity | says |", "|---|---|---|"] + rows).joined(separator: "\n")
    }

    private static func section(_ family: LintFamily) -> String {
        let rules = family.rules.map { rule in
            "### \(rule.id)\n\n*\(rule.severity.rawValue)*: \(cell(rule.meaning))\n\n\(cell(rule.source))"
        }
        return (["## \(family.name)"] + rules).joined(separator: "\n\n")
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
