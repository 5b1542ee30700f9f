import Base
import Foundation
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests that the rows of the table of senders in `docs/use/dialects.md` agree with the program's reading of each
/// sample.
@Suite struct SenderTableTests {
    private static let heading = "## Senders and their samples"

    @Test func `the table in docs/use/dialects.md is equal to the table that is generated from the samples`() throws {
        let page = try String(contentsOfFile: "\(Fixtures.project)/docs/use/dialects.md", encoding: .utf8)
        let start = try #require(page.firstRange(of: Self.heading + "\n"))
        let end = try #require(page[start.upperBound...].firstRange(of: "\n## "))
        let section = try Self.section()
        let made = page[..<start.lowerBound] + section + page[end.lowerBound...]
        let written = try Golden.page("use/dialects.md", made: String(made))
        #expect(written == made, "the table differs from the samples; REWRITE_GOLDENS=1 rewrites it")
    }

    @Test func `the table has at least 90 formats of 41 senders, and each format has a separate sample`() throws {
        #expect(Set(try SampleFixture.all().map(\.sender)).count >= 41)
        let formats = try SampleFixture.all().map { "\($0.expected["sender"]?.string ?? ""), \($0.format)" }
        #expect(Set(formats).count == formats.count)
        #expect(formats.count >= 90)
    }

    private static func section() throws -> String {
        let samples = try SampleFixture.all().sorted {
            ($0.sender.lowercased(), $0.name) < ($1.sender.lowercased(), $1.name)
        }
        let rows = samples.map { sample in
            let reading = sample.reading
            let media = reading.media.map { "\($0.role.rawValue) \(Self.name(of: $0))" }
            let shown = [reading.successText.title, reading.successText.subtitle, reading.successText.body]
            let texts = shown.compactMap(\.self).filter { !$0.isEmpty }
            return [
                "\(sample.sender): \(sample.format)", "`\(sample.name).json`", reading.dialect?.description ?? "",
                reading.detectedBy.map { "`\($0)`" } ?? "", media.isEmpty ? "none" : media.joined(separator: ", "),
                texts.isEmpty ? "none" : texts.joined(separator: " · "),
            ]
        }
        let senders = Set(samples.map(\.sender)).count
        let lines = rows.map { "| " + $0.map(Self.cell).joined(separator: " | ") + " |" }
        return """
            \(heading)

            Each row shows how appgroupd reads one sample payload. The samples are in `fixtures/payloads`, and have
            \(rows.count) formats of \(senders) senders. Each sample is an invented payload in the format that the
            sender's documents describe. The column *media* has the role and the file name of each media item. The
            column *texts* has the title, the subtitle and the body that are shown with the media. `EXPECTED.json` in
            the same directory has the expected values of each sample. The values were written by hand, and tests
            compare each sample with these values. `REWRITE_GOLDENS=1 swift test --enable-swift-testing --filter SenderTableTests` makes this
            table.

            | sender and format | sample | dialect | detected by | media | texts |
            |---|---|---|---|---|---|
            \(lines.joined(separator: "\n"))

            """
    }

    private static func name(of item: MediaReference) -> String {
        if item.isInline { return "in the payload" }
        return item.url.split(separator: "/").last.map { "`\($0)`" } ?? ""
    }

    private static func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("\n", with: " ")
    }
}
