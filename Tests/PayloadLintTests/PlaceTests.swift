import PayloadLint
import Testing

/// Tests of lines and columns, which refer to the bytes of the file.
@Suite struct PlaceTests {
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let rule: String
        let line: Int
        let column: Int
    }

    @Test(arguments: [
        Place(
            testDescription: "a member is where its key is", text: "{\n  \"aps\": {\"badge\": -1}\n}", rule: "badge",
            line: 2, column: 11),
        Place(
            testDescription: "an element is where its value is",
            text: "{\"aps\": {\"alert\": {\"loc-key\": \"k\",\n \"loc-args\": [\"a\",\n   7]}}}", rule: "loc-args",
            line: 3, column: 4),
        Place(
            testDescription: "an element of an array of payloads",
            text: "[{\"aps\": {\"badge\": 1}},\n {\"aps\": {\"badge\": -1}}]", rule: "badge", line: 2, column: 11),
        Place(
            testDescription: "columns are scalars", text: "{\"é\u{301}😀\": 1, \"aps\": {\"badge\": -1}}", rule: "badge",
            line: 1,
            column: 20),
        Place(
            testDescription: "carriage returns end no line of their own", text: "{\r\n\"aps\":\r\n{\"badge\": -1}}",
            rule: "badge",
            line: 3, column: 2),
        Place(
            testDescription: "a byte order mark has no column", text: "\u{FEFF}{\"aps\": {\"badge\": -1}}",
            rule: "badge", line: 1, column: 10),
        Place(
            testDescription: "an escaped key", text: #"{"a\u0070s": {"b\u0061dge": -1}}"#, rule: "badge", line: 1,
            column: 15),
        Place(
            testDescription: "the last of a repeated key counts", text: "{\"aps\": {\"badge\": 1,\n\"badge\": -1}}",
            rule: "badge",
            line: 2, column: 1),
        Place(
            testDescription: "the second object", text: "{\"aps\": {\"alert\": \"x\"}}\n\n {\"aps\": {\"badge\": -1}}",
            rule: "badge", line: 3, column: 11),
        Place(
            testDescription: "after text that is not JSON", text: "{\"a\": [1,\n}\n{\"aps\": {\"badge\": -1}}",
            rule: "badge", line: 3,
            column: 10),
        Place(testDescription: "what is no JSON", text: "{\n \"é\": tru\n}", rule: "not-json", line: 2, column: 7),
        Place(
            testDescription: "a bad object after another value", text: "\u{FEFF}{} {\"é\": tru}", rule: "not-json",
            line: 1, column: 10),
        Place(testDescription: "what ends too early", text: "{\"a\": \"b", rule: "not-json", line: 1, column: 9),
        Place(
            testDescription: "what is missing is where it belongs",
            text: "{\n \"image\": \"https://a.b/c.png\",\n \"aps\": {\"alert\": \"x\"}}",
            rule: "mutable-content-missing", line: 3, column: 2),
    ])
    func `a finding has the line and the column of its mistake`(_ place: Place) throws {
        let finding = try #require(Lint.findings(place.text, of: place.rule).first)
        #expect((finding.line, finding.column) == (place.line, place.column))
    }

    @Test func `findings are sorted by their position in the file, and at one position by the order of the rules`() {
        let findings = Lint.findings(
            """
            {"image": "http://user@localhost/a b.webp", "aps": {"bagde": 1, "alert": {"titel": "x", "body": "{{x}}"}}}
            {"aps": {"badge": -1}} nonsense
            """)
        let places = findings.map { [$0.line, $0.column] }
        #expect(places == places.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(findings.count > 8)
        #expect(Lint.findings("{} 7 {").map(\.rule) == ["unknown-payload", "not-an-object", "not-json"])
    }

    @Test func `a pointer into an array of payloads begins with the index of the element`() {
        let text = #"[{"aps": {"alert": "x"}}, {"payload": {"aps": {"badge": -1}}, "budget": "2s"}, {"a\ud800": 1}]"#
        #expect(Lint.findings(text, of: "badge").map(\.pointer) == ["/1/payload/aps/badge"])
        #expect(Lint.findings(text, of: "unknown-payload").map(\.pointer) == ["/2"])
        #expect(Lint.findings(text, of: "broken-text").map(\.pointer) == ["/2/a\u{FFFD}"])
    }

    @Test func `a pointer escapes slashes and tildes in keys`() {
        #expect(Lint.findings(#"{"a/b~c": {"d": 1, "d": 2}}"#, of: "duplicate-key").map(\.pointer) == ["/a~1b~0c/d"])
    }
}
