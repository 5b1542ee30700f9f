import Base
import FoundationEssentials
import NotificationModel
import Testing

@testable import Features

/// Tests of the items of a source.
@Suite struct WarmItemTests {
    private func reader(_ format: WarmFormat? = nil) -> WarmItemReader {
        WarmItemReader(
            format: format,
            entries: WarmEntryReader(
                form: .source, defaults: .init(profiles: [.ios], budget: .seconds(30)),
                now: Date(timeIntervalSince1970: 0),
                date: { ["14d": Date(timeIntervalSince1970: 1), "0s": Date(timeIntervalSince1970: 0)][$0] },
                payloadURL: { $0["image"]?.string }))
    }

    private func item(_ text: String, _ format: WarmFormat? = nil) throws -> WarmItem {
        try reader(format).item(of: try #require(try JSONParser.value(of: text).object), at: "a:1")
    }

    @Test(arguments: [
        ("http://A.Example:80/x.jpg?q=1", "a.example", "http://A.Example:80/x.jpg"),
        ("https://user:secret@a.example:8443/x#f", "a.example:8443", "https://a.example:8443/x"),
        ("http://127.0.0.1:8499/x", "127.0.0.1:8499", "http://127.0.0.1:8499/x"),
        ("/x.jpg", "", "/x.jpg"),
    ])
    func `a URL is parsed into its host, and is shown without credentials and query`(
        _ url: String, _ host: String, _ shown: String
    ) throws {
        let item = try #require(reader().item(line: url, at: "a:1"))
        #expect(item.host == host)
        #expect(item.name == shown)
    }

    @Test func `empty lines and comments are ignored`() {
        #expect(reader().item(line: "", at: "a:1") == nil)
        #expect(reader().item(line: "# http://a.example/", at: "a:1") == nil)
    }

    @Test func `an entry can set its profiles, its group and the time until which it is pinned`() throws {
        let item = try item(
            #"{"url": "http://a.example/1", "profiles": ["ios", "web"], "group": "group.b", "keepUntil": "14d"}"#)
        #expect(item.request == .url("http://a.example/1"))
        #expect(item.profiles.map(\.name) == ["ios", "web"])
        #expect(item.appGroup.description == "group.b")
        #expect(item.keepUntil == Date(timeIntervalSince1970: 1))
    }

    @Test func `an object with other keys is read as a payload`() throws {
        let item = try item(#"{"url": "http://a.example/", "aps": {}, "image": "http://b.example/1.jpg"}"#)
        #expect(item.host == "b.example")
        #expect(item.name == "a:1")
    }

    @Test(arguments: [
        (#"{"url": "http://a.example/1", "profils": ["web"]}"#, "profils: is not a key: did you mean profile?"),
        (#"{"url": "http://a.example/1", "profile": "tv"}"#, "profiles: must be an array of one or more of: ios, "),
        (
            #"{"url": "http://a.example/1", "keepUntil": "soon"}"#,
            "keepUntil: must be a duration, such as 14d, or a time"
        ),
        (#"{"url": "http://a.example/1", "keepUntil": "0s"}"#, "keepUntil: must be in the future"),
        (#"{"url": "http://a.example/1", "group": "../x"}"#, "group: must be"),
    ])
    func `an invalid entry is reported with the invalid key`(_ text: String, _ problem: String) {
        let error = #expect(throws: WarmProblem.self) { try item(text) }
        #expect(error?.text.hasPrefix(problem) == true, "\(error?.text ?? "")")
    }

    @Test func `the key of an item depends only on its request and its profiles`() throws {
        let url = try item(#"{"url": "http://a.example/1"}"#)
        #expect(url.key == reader().item(line: "http://a.example/1", at: "b:2")?.key)
        #expect(try item(#"{"url": "http://a.example/1", "profile": "web"}"#).key != url.key)
        #expect(WarmKey(url.key.description) == url.key)
        #expect(url.key.description.count == 32)
    }

    @Test func `a line that arrives in two pieces is joined`() {
        var lines = SourceLines()
        lines.append(Array("\u{FEFF}one\r\ntw".utf8))
        #expect(lines.take(isAtEnd: false).map(\.text) == ["one"])
        lines.append(Array("o\n\n  three ".utf8))
        #expect(lines.take(isAtEnd: true).map { "\($0.number) \($0.text)" } == ["2 two", "3 ", "4 three"])
    }

    @Test func `the syntax of a source is recognised by the first bytes`() {
        #expect(WarmFormat.syntax(of: Array(" \n{".utf8)) == .json)
        #expect(WarmFormat.syntax(of: Array("http".utf8)) == .lines)
        #expect(WarmFormat.syntax(of: Array("\n ".utf8)) == .lines)
        #expect(WarmFormat.syntax(of: Array("\u{FEFF}<?xml".utf8)) == .xml)
        #expect(WarmFormat.syntax(of: [0x1F, 0x8B, 8]) == .gzip)
        #expect(WarmFormat.syntax(of: [0xFF, 0xFE, 0x68, 0]) == .utf16)
    }
}
