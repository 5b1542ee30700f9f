import Base
import Foundation
import Scenarios
import TestSupport
import Testing

/// Tests of the simulated phone against the documented limits: the table of docs/reference/compatibility.md, whose rows
/// name their sources.
struct PhoneVerdictTests {
    /// A row of the table.
    struct Row: Sendable, CustomTestStringConvertible {
        var phone: String
        var circumstances: String
        var type: String
        var bytes: Int
        var seconds: Int
        var shows: String
        var sources: [Int]

        var testDescription: String { "\(phone), \(circumstances), \(type), \(bytes) bytes, \(seconds) s" }

        init?(_ line: String) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 7, let bytes = Int(cells[3].replacing(",", with: "")),
                let seconds = Int(cells[4].replacing(" s", with: ""))
            else { return nil }
            (phone, circumstances, type, shows) = (cells[0], cells[1], cells[2], cells[5])
            (self.bytes, self.seconds) = (bytes, seconds)
            sources = cells[6].split(separator: ", ").compactMap { Int($0) }
        }

        /// Returns the phone of the row, and the result that it judges.
        func subject() throws -> (model: PhoneModel, notification: DownloadedNotification) {
            var model = PhoneModel()
            model.system = try #require(PhoneSystem(phone))
            var download = DownloadedNotification(bytes: bytes, time: .seconds(seconds), sourceType: type)
            for circumstance in circumstances.components(separatedBy: ", ") {
                switch circumstance {
                case "none": break
                case "ended after 5 s": model.endsAfter = .seconds(5)
                case "no mutable-content": download.runsExtension = false
                case "plain http": download.url = "http://media.example.net/a.jpg"
                case "exception": model.allowsPlainHTTP = true
                case "data saving": model.isLowData = true
                case "converting extension": model.converts = true
                case "12 MB", "16 MB", "24 MB": model.memory = try #require(Int(circumstance.prefix(2))) * 1_000_000
                case "download in memory": model.holdsDownload = true
                case "second call after 2 s": model.secondCall = PhoneModel.SecondCall(delay: .seconds(2))
                case "own state": model.secondCall?.sharesState = false
                default: Issue.record("\"\(circumstance)\" is no circumstance that the test knows")
                }
            }
            return (model, download)
        }
    }

    private static let page: [String] = {
        let file = Fixtures.project + "/docs/reference/compatibility.md"
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "\n")
    }()

    static let rows = page.compactMap { Row($0) }

    @Test(arguments: rows) func `the phone shows what the documented limits permit`(_ row: Row) throws {
        let (model, notification) = try row.subject()
        let shown = model.alone(try notification.result())
        #expect((shown.isMedia ? "media" : "text: \(shown.why ?? "")") == row.shows)
    }

    @Test func `the table has both sides of the size limit of each type that iOS attaches`() {
        for format in MediaFormat.allCases where format.isShownByPhones {
            let rows = Self.rows.filter { $0.phone.hasPrefix("iOS") && MediaFormat.named(mimeType: $0.type) == format }
            let limits = Set(rows.filter { $0.shows == "media" }.map(\.bytes))
            #expect(
                rows.contains { $0.shows.hasPrefix("text: UNError 102") && limits.contains($0.bytes - 1) }, "\(format)")
        }
    }

    /// A version of a system at which a picture of a type is decoded for the first time has a row, and so has the version
    /// before it.
    @Test func `the table has both sides of the first version that decodes a type`() {
        for family in PhoneSystem.Family.allCases {
            for format in MediaFormat.allCases {
                let first = (10...26).first { PhoneSystem(family, $0).decodes(format) }
                guard let first, first > 10 else { continue }
                let rows = Self.rows.filter { MediaFormat.named(mimeType: $0.type) == format }
                #expect(rows.contains { $0.phone == "\(PhoneSystem(family, first))" && $0.shows == "media" })
                #expect(
                    rows.contains {
                        $0.phone == "\(PhoneSystem(family, first - 1))" && $0.shows.contains("does not decode")
                    })
            }
        }
    }

    @Test func `each row names a source that the page has`() {
        let sources = Set(
            Self.page.compactMap { $0.split(separator: "|").first.map { $0.dropFirst().dropLast() } }
                .compactMap { Int($0) })
        #expect(Self.rows.count > 70)
        #expect(Self.rows.allSatisfy { !$0.sources.isEmpty && sources.isSuperset(of: $0.sources) })
    }

    @Test(arguments: ["iOS 17", "Android 8.1", "ios 15.4"]) func `a system is written with its version`(_ text: String)
    {
        #expect(PhoneSystem(text).map { "\($0)".lowercased() } == text.lowercased())
    }

    @Test(arguments: [
        "", "17", "iOS", "iOS 0", "iOS -1", "iOS 1.2.3", "iOS  17", "Windows 10", "iOS 17.", "Android 123",
    ])
    func `a malformed system is refused`(_ text: String) { #expect(PhoneSystem(text) == nil) }
}
