import Base
import FoundationEssentials
import Logging
import NotificationModel
import Telemetry
import Testing

/// Tests that each event is one line, readable and bounded, and that no text can imitate another line.
@Suite struct LogLinePlainTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000.123)

    private static func record(_ message: String, _ metadata: Logger.Metadata = [:]) -> LogRecord {
        LogRecord(date: date, level: .warning, label: "spool", message: message, metadata: metadata)
    }

    private static func text(_ record: LogRecord, colors: Bool = false) -> String {
        String(decoding: LogLine.bytes(of: record, layout: .text(colors: colors)), as: UTF8.self)
    }

    private static func json(_ record: LogRecord) throws -> JSONValue {
        try JSONParser.value(of: LogLine.bytes(of: record, layout: .json))
    }

    @Test func `a text line has time, level, label, message and sorted fields`() {
        let line = Self.text(Self.record("claimed", ["size": .stringConvertible(7), "file": "a b.json", "ab": "x"]))
        #expect(line == "2027-01-15T08:00:00.123Z warning  spool: claimed ab=x file=\"a b.json\" size=7\n")
    }

    @Test func `a line has escape sequences only if colors are requested`() {
        let record = Self.record("claimed", ["ab": "x"])
        #expect(Self.text(record, colors: true).contains("\u{1B}[33mwarning"))
        #expect(!Self.text(record).contains("\u{1B}"))
    }

    @Test func `a JSON line has the fixed members first, and its values are not changed`() throws {
        let record = Self.record(
            "claimed", ["n": .stringConvertible(7), "list": ["a", ["k": "v"]], "ok": .stringConvertible(true)])
        let line = String(decoding: LogLine.bytes(of: record, layout: .json), as: UTF8.self)
        #expect(
            line == """
                {"time":"2027-01-15T08:00:00.123Z","level":"warning","message":"claimed","label":"spool",\
                "list":["a",{"k":"v"}],"n":7,"ok":true}

                """)
    }

    @Test func `a field cannot replace a fixed member`() throws {
        let json = try Self.json(Self.record("claimed", ["level": "critical", "message": "forged", "time": "never"]))
        #expect(json["level"] == "warning")
        #expect(json["message"] == "claimed")
        #expect(json["metadata.level"] == "critical")
        let keys = try #require(json.object?.keys)
        #expect(Set(keys).count == keys.count)
    }

    @Test(arguments: [
        "two\nlines", "back\r", "\u{1B}[2J", "\u{9B}31m", "nul\u{0}", "\u{2028}", "\u{2029}", "\u{202E}evil", "\u{7F}",
        "\u{85}", "\u{2066}x\u{2069}", "\u{200F}", "\t", "quote\" and \\ slash",
    ])
    func `a logged text cannot end a line or control a terminal`(_ said: String) throws {
        let record = Self.record(said, ["key": .string(said), "list": [.string(said)], said: "value"])
        for layout in [LogLayout.text(colors: false), .json] {
            let line = String(decoding: LogLine.bytes(of: record, layout: layout), as: UTF8.self)
            #expect(line.unicodeScalars.filter { $0 == "\n" }.count == 1)
            #expect(line.hasSuffix("\n"))
            let harmful = line.dropLast().unicodeScalars.filter { scalar in
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                    || [0x2028, 0x2029, 0x200F, 0x202E, 0x2066, 0x2069].contains(scalar.value)
            }
            #expect(harmful.isEmpty, "\(harmful)")
        }
        let json = try Self.json(record)
        #expect(json["message"]?.string == said)
        #expect(json["key"]?.string == said)
    }

    @Test(arguments: [
        "two\nlines", "x\nPRIORITY=0", "\n", "a\n" + String(repeating: "\u{0}", count: 8) + "MESSAGE=forged\n", "=",
        "nul\u{0}", "\u{1B}[2J", "back\r", "\u{2028}", "\u{202E}evil", "", "ünïcode 👩‍👩‍👧",
    ])
    func `a logged text cannot add a field to a message of the journal`(_ said: String) throws {
        let record = Self.record(said, ["request-id": .string(said), "list": [.string(said)], said: "value"])
        let fields = try JournalFields(of: LogLine.bytes(of: record, layout: .journal))
        #expect(fields["PRIORITY"] == ["4"])
        #expect(fields["SYSLOG_IDENTIFIER"] == ["appgroupd"])
        #expect(fields["APPGROUPD_LABEL"] == ["spool"])
        #expect(fields["APPGROUPD_REQUEST_ID"] == [said])
        #expect(fields.count == 7)
        let message = try #require(fields["MESSAGE"]?.first)
        #expect(fields["MESSAGE"]?.count == 1)
        #expect(!message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }

    @Test(arguments: [
        ("id", "APPGROUPD_ID"), ("request-id", "APPGROUPD_REQUEST_ID"), ("atJob", "APPGROUPD_AT_JOB"),
        ("error.type", "APPGROUPD_ERROR_TYPE"), ("größe", "APPGROUPD_GR____E"), ("a b=c", "APPGROUPD_A_B_C"),
        (String(repeating: "k", count: 200), "APPGROUPD_" + String(repeating: "K", count: 53)),
    ])
    func `the key of a field has the form that the journal permits`(_ key: String, _ name: String) throws {
        let fields = try JournalFields(of: LogLine.bytes(of: Self.record("x", [key: "v"]), layout: .journal))
        #expect(fields[name] == ["v"])
        #expect(fields.names.allSatisfy { $0.utf8.count <= 64 })
    }

    @Test(arguments: [
        (Logger.Level.trace, "7"), (.debug, "7"), (.info, "6"), (.notice, "5"), (.warning, "4"), (.error, "3"),
        (.critical, "2"),
    ])
    func `the priority of a message follows its level`(_ level: Logger.Level, _ priority: String) throws {
        let record = LogRecord(date: Self.date, level: level, label: "x", message: "y", metadata: [:])
        #expect(try JournalFields(of: LogLine.bytes(of: record, layout: .journal))["PRIORITY"] == [priority])
    }

    @Test func `the escape of a character differs from a text that looks like an escape`() {
        #expect(LogText.escaped("a\nb") != LogText.escaped("a\\nb"))
        #expect(LogText.word("a\" b=\"c") == #""a\" b=\"c""#)
        #expect(LogText.word("") == "\"\"")
        #expect(LogText.word("plain-1.5s") == "plain-1.5s")
    }

    @Test(arguments: [
        ("a\u{1B}[2Jb", "a\\u{1b}[2Jb"), ("a\rb\u{7}", "a\\rb\\u{7}"), ("\u{9B}31m", "\\u{9b}31m"),
        ("a\nb\tc\\n", "a\nb\tc\\n"), ("\u{202E}gpj", "\\u{202e}gpj"), ("👩‍👩‍👧 é", "👩‍👩‍👧 é"),
        ("\u{1B}[8mhidden", "\\u{1b}[8mhidden"), ("\u{1B}[1;31", "\\u{1b}[1;31"), ("\u{1B}", "\\u{1b}"),
        (TerminalColor.red.bold("a\u{1B}]0;b\u{7}"), "\u{1B}[1;31ma\\u{1b}]0;b\\u{7}\u{1B}[0m"),
    ])
    func `a terminal gets the program's colors, and escapes of all other control characters`(
        _ text: String, _ shown: String
    ) {
        #expect(LogText.onTerminal(text) == shown)
        #expect(!LogText.onTerminal(text, isLine: true).contains { $0.isNewline })
    }

    static let hugeOnes: [(String, Logger.Metadata)] = [
        (String(repeating: "x", count: 1 << 20), [:]),
        (String(repeating: "\u{0}", count: 1 << 16), ["k": .string(String(repeating: "\u{1F}", count: 1 << 16))]),
        (String(repeating: "👩‍👩‍👧", count: 10_000), [:]),
        ("many", Dictionary(uniqueKeysWithValues: (0..<5_000).map { ("key\($0)", "value") })),
        (
            "long keys",
            Dictionary(uniqueKeysWithValues: (0..<99).map { ("\($0)" + String(repeating: "k", count: 9_999), "v") })
        ),
        ("list", ["list": .array([Logger.MetadataValue](repeating: "element", count: 20_000))]),
        ("nested", ["nest": nest(9)]),
        ("deep", ["deep": deep(10_000)]),
    ]

    /// Returns lists of nine elements each, nested five deep for a depth of 9.
    private static func nest(_ depth: Int) -> Logger.MetadataValue {
        depth == 4 ? "leaf leaf leaf" : .array([Logger.MetadataValue](repeating: nest(depth - 1), count: 9))
    }

    private static func deep(_ depth: Int) -> Logger.MetadataValue {
        (0..<depth).reduce("leaf") { inner, _ in ["k": inner] }
    }

    @Test(arguments: hugeOnes.indices)
    func `a line has at most 16 KiB, and remains valid JSON`(_ index: Int) throws {
        let (message, metadata) = Self.hugeOnes[index]
        let record = Self.record(message, metadata)
        for layout in [LogLayout.text(colors: true), .json] {
            let line = LogLine.bytes(of: record, layout: layout)
            #expect(line.count <= 16_384)
            #expect(String(validating: line, as: UTF8.self) != nil)
            let text = String(decoding: line, as: UTF8.self)
            let isMarked = text.contains("…") || text.contains("omittedFields")
            #expect(isMarked)
        }
        let json = try Self.json(record)
        #expect(json["level"] == "warning")
        let sent = LogLine.bytes(of: record, layout: .journal)
        #expect(sent.count <= 3 * 16_384)
        #expect(try JournalFields(of: sent)["PRIORITY"] == ["4"])
    }

    @Test func `a line of exactly the maximum length is not cut`() {
        let frame = LogLine.bytes(of: Self.record(""), layout: .json).count
        let fitting = String(repeating: "x", count: LogLine.maxBytes - frame)
        #expect(LogLine.bytes(of: Self.record(fitting), layout: .json).count == LogLine.maxBytes)
        let cut = String(decoding: LogLine.bytes(of: Self.record(fitting + "x"), layout: .json), as: UTF8.self)
        #expect(cut.contains("bytes more"))
    }

    @Test func `a text is not cut inside of a Unicode scalar`() throws {
        for offset in 0..<4 {
            let message = String(repeating: "x", count: offset) + String(repeating: "€", count: 6_000)
            let cut = try #require(try Self.json(Self.record(message))["message"]?.string)
            let head = try #require(cut.split(separator: "…").first)
            #expect(message.hasPrefix(head))
        }
    }
}
