import Foundation
import ServiceConfiguration
import Testing

/// Tests of files that are not a configuration. The loader refuses each file in a short time, and its
/// error message has few lines.
@Suite struct HostileFileTests {
    @Test(
        arguments: [
            ("budget: 5s\nbudget: 6s", "appgroupd.yaml:1: \"budget\" is here and again below: keep one of them"),
            ("budget: 5s\n\"budget\": 6s", "appgroupd.yaml:1: \"budget\" is here and again"),
            ("fetch:\n  redirects: 1\n  redirects: 2", "appgroupd.yaml:2: \"redirects\" is here and again"),
            ("log:\n\tlevel: info", "appgroupd.yaml:2: the line is indented with a tab: use spaces"),
            ("log:\n  level: info\n \tformat: text", "appgroupd.yaml:3: the line is indented with a tab: use spaces"),
            ("a: &a [x, x]\nb: &b [*a, *a]", "appgroupd.yaml:1: & and * begin an anchor or alias"),
            ("fetch:\n  allowHosts: [*.example.com]", "appgroupd.yaml:2: & and * begin an anchor or alias"),
            ("fetch:\n  allowHosts:\n    - *.example.com", "appgroupd.yaml:3: & and * begin an anchor or alias"),
            ("fetch: {allowHosts: [a.example, *.b.example]}", "appgroupd.yaml:1: & and * begin an anchor or alias"),
            ("--- &a\nbudget: 5s", "appgroupd.yaml:1: & and * begin an anchor or alias"),
            ("? *a\n: 1", "appgroupd.yaml:1: & and * begin an anchor or alias"),
            ("{\"root\":*a}", "appgroupd.yaml:1: & and * begin an anchor or alias"),
            ("root: !!str &a /x", "appgroupd.yaml:1: & and * begin an anchor or alias"),
            ("root: 'it''s' # &a\nsocket: &a x", "appgroupd.yaml:2: & and * begin an anchor or alias"),
            ("root: \"a\\\" & \" # &\nsocket: &a x", "appgroupd.yaml:2: & and * begin an anchor or alias"),
            ("root: a\n 'b\nsocket: &a x", "appgroupd.yaml:3: & and * begin an anchor or alias"),
            ("{root: a\n 'b, socket: &a c'}", "appgroupd.yaml:2: & and * begin an anchor or alias"),
            ("{root: [a]\n, socket:\n &a c}", "appgroupd.yaml:3: & and * begin an anchor or alias"),
            ("root: |\n  /x", "appgroupd.yaml:1: | and > begin a block of text"),
            ("budget: 5s\n---\nbudget: 6s", "appgroupd.yaml:3: a second document begins here: keep one of them"),
            ("budget: 5s\n...\n---\n", "appgroupd.yaml:4: a second document begins here: keep one of them"),
            ("- budget", "appgroupd.yaml:1: the file must be a mapping: write keys, such as budget: 30s"),
            ("\nbudget", "appgroupd.yaml:2: the file must be a mapping: write keys, such as budget: 30s"),
            ("fetch: 5", "appgroupd.yaml:1: fetch must be a mapping: write keys, such as fetch: {allowAddresses: …}"),
            ("log: [info]", "appgroupd.yaml:1: log must be a mapping: write keys, such as log: {level: …}"),
            ("budget: 5s\nroot: a\u{0}b", "appgroupd.yaml:2: U+0000 is not permitted in YAML: remove it"),
            ("root: \u{1B}[31m", "appgroupd.yaml:1: U+001B is not permitted in YAML: remove it"),
            ("root: \u{7F}", "appgroupd.yaml:1: U+007F is not permitted in YAML: remove it"),
            ("root: [a", "appgroupd.yaml:2: it is not YAML: "),
            (
                "apns:\n  mediaKeys: [items[].url]",
                "appgroupd.yaml:2: it is not YAML: did not find expected ',' or ']': put texts with , [ ] { or } in quotes"
            ),
            ("root: \"a", "appgroupd.yaml:1: it is not YAML: "),
            ("budget: 5s\n root: a: b", "appgroupd.yaml:2: it is not YAML: "),
            ("root: %x", "appgroupd.yaml:1: it is not YAML: "),
            ("root: @x", "appgroupd.yaml:1: it is not YAML: "),
            ("root: \"\\ud800\"", "appgroupd.yaml:1: it is not YAML: "),
            ("? [a, b]\n: 1", "appgroupd.yaml:1: a key must be one word, not a list or mapping"),
            ("? {a: b}\n: 1", "appgroupd.yaml:1: a key must be one word, not a list or mapping"),
            ("%YAML 9.9\n---\nroot: a", "appgroupd.yaml:1: it is not YAML: "),
        ])
    func `an invalid file is reported with its line`(yaml: String, expected: String) throws {
        let problems = try ConfigurationFixture(yaml).problems()
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.hasPrefix(expected) == true, "\(problems)")
    }

    @Test(
        arguments: [
            "", "\n\n", "# only a comment", "---", "---\n...\n", "~", "null", "{}", "\u{FEFF}", "fetch:\nlog: ~\n",
            "\u{FEFF}# mark\r\nlog:\r\n  level: info\r\n", "log: {level: info,}", "log: {\"level\":info}",
            "fetch:\n  headers:\n    a.example: {Accept: \"image/*, */*\", X-A: a&b*c, X-B: 'x, *y', X-C: a|b}\n",
            "root: /a # & * |\n", "root: /a&b\n", "!!map\nroot: !!str /a\n",
        ])
    func `a file may be empty, and may contain comments, tags and an & inside a value`(yaml: String) throws {
        #expect(try ConfigurationFixture(yaml).problems() == [])
    }

    @Test(
        arguments: [
            String(repeating: "[", count: 900) + String(repeating: "]", count: 900),
            String(repeating: "[", count: 100_000), String(repeating: "{a: ", count: 100_000),
            String(repeating: "- ", count: 100_000), String(repeating: "? ", count: 100_000),
            "fetch: " + String(repeating: "{fetch: ", count: 30) + String(repeating: "}", count: 30),
        ])
    func `a deeply nested file is refused`(yaml: String) throws {
        let problems = try ConfigurationFixture(yaml).problems()
        #expect(problems.count == 1)
        #expect(problems.first?.contains("this has too many levels") == true, "\(problems)")
    }

    @Test func `an anchor bomb in keys is refused before it is expanded`() throws {
        var yaml = "a0: &a0 [x]\n"
        for level in 1...60 { yaml += "? &a\(level) [*a\(level - 1), *a\(level - 1)]\n: x\n" }
        let problems = try ConfigurationFixture(yaml).problems()
        #expect(problems.count == 1)
    }

    @Test func `a file that is larger than one mebibyte is refused`() throws {
        let line = "# " + String(repeating: "x", count: 61) + "\n"
        let full = String(repeating: line, count: (1 << 20) / 64)
        #expect(try ConfigurationFixture(full).problems() == [])
        let problems = try ConfigurationFixture(full + "\n").problems()
        #expect(problems == ["the configuration: appgroupd.yaml cannot be read: it has more than 1048576 bytes"])
    }

    @Test func `at most a hundred errors of a file are reported`() throws {
        let yaml = (0..<50_000).map { "k\($0): 1\n" }.joined()
        let problems = try ConfigurationFixture(yaml).problems()
        #expect(problems.count == 101)
        #expect(problems.last == "appgroupd.yaml:101: there may be more mistakes below: correct these first")
    }

    @Test func `a list of more than 4096 elements is refused`() throws {
        let hosts = (0..<4_096).map { "h\($0)" }.joined(separator: ",")
        #expect(try ConfigurationFixture("fetch: {allowHosts: [\(hosts)]}").problems() == [])
        let problems = try ConfigurationFixture("fetch: {allowHosts: [\(hosts),x]}").problems()
        #expect(problems == ["appgroupd.yaml:1: fetch.allowHosts: has more than 4096 elements: remove some"])
    }

    @Test func `bytes that are not UTF-8 are refused`() throws {
        let fixture = try ConfigurationFixture()
        try Data([0x72, 0x3A, 0x20, 0xFF]).write(to: URL(filePath: fixture.path))
        #expect(fixture.problems() == ["appgroupd.yaml: it is not text in UTF-8"])
    }

    @Test func `the errors of the file are reported before the errors of variables and flags`() throws {
        let yaml = """
            fetch:
              redirects: 21
              bogus: 1
              allowPorts: [0, 80, x]
            budget: 2h
            log: {level: loud}
            """
        let problems = try ConfigurationFixture(yaml).problems(
            environment: ["APPGROUPD_BUDGET": "soon", "APPGROUPD_X": ""], flags: [FlagValue("--workers", "0")])
        let places = problems.map { $0.prefix { $0 != " " } }
        #expect(
            places == [
                "appgroupd.yaml:2:", "appgroupd.yaml:3:", "appgroupd.yaml:4:", "appgroupd.yaml:4:", "appgroupd.yaml:5:",
                "appgroupd.yaml:6:", "APPGROUPD_X:", "APPGROUPD_BUDGET:", "--workers:",
            ])
        #expect(problems.allSatisfy { !$0.contains("\n") })
    }
}
