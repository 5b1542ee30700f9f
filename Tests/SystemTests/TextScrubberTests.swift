import Base
import Testing

@testable import appgroupd

/// Tests of the texts of a support bundle.
@Suite struct TextScrubberTests {
    @Test(
        arguments: [
            (
                "see https://anna:Nachtigall@media.example.com/Kleiber?token=Amsel now",
                "see https://media.example.com/… now"
            ),
            ("proxy=http://u:Amsel@proxy.example:3128,", "http://proxy.example:3128/…"),
            ("from anna@example.com to", "from (address) to"), ("the folder /var/lib/appgroupd/group.default", nil),
            ("listens on d1234567890abcdefgh.cloudfront.net:443", nil), ("cannot listen: Permission denied", nil),
        ] as [(String, String?)]) func `a text keeps its words, and loses credentials, paths and addresses`(
            _ text: String, _ expected: String?
        )
    {
        let scrubbed = TextScrubber.text(text)
        if let expected { #expect(scrubbed.hasPrefix(expected), "\(scrubbed)") } else { #expect(scrubbed == text) }
        for secret in ["Nachtigall", "Kleiber", "Amsel", "anna"] { #expect(!scrubbed.contains(secret)) }
    }

    @Test(arguments: [
        "agd_9f86d081884c7d659a2feaa0c55ad015",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmN",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "c2VjcmV0IG9mIHR3ZW50eSBieXRlcyE1",
    ]) func `a token is replaced by a digest, also between marks`(_ token: String) {
        for text in [token, "Bearer \(token)", "key=\"\(token)\",", "{\(token)}"] {
            let scrubbed = TextScrubber.text(text)
            #expect(!scrubbed.contains(token.prefix(24)), "\(scrubbed)")
            #expect(scrubbed.contains("~"))
        }
        #expect(TextScrubber.text(token) == TextScrubber.text(token))
    }

    @Test func `a log line in JSON keeps its level, message and numbers`() throws {
        let line = LogTail.line(
            #"{"time":"a","level":"info","message":"emitted","ms":12,"group":"group.default","note":"Rosenrot is here"}"#
        )
        let value = try JSONParser.value(of: line)
        #expect(value["level"] == "info" && value["message"] == "emitted" && value["ms"] == 12)
        #expect(value["note"] == "(16 characters)")
    }

    @Test func `a line in the format text keeps its message, its numbers and the names of parts`() {
        let line = LogTail.line(
            #"2026-01-01T00:00:00Z info emitted group=group.default id=alice-2024 callback=4915112345678 ms=12 note="Rosenrot \"is\" here" end"#
        )
        #expect(
            line
                == "2026-01-01T00:00:00Z info emitted group=group.default id=(10 characters) callback=(13 characters) ms=12"
                + " note=(22 characters) end")
    }
}
