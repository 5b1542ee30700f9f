import Base
import FeatureKit
import FoundationEssentials
import HTTPCaching
import NotificationModel
import StoreTools

/// The tables of `cache ls`. On a terminal, rows are wrapped to the width of the terminal, and digests are shortened.
struct StoreListingTable {
    /// The number of columns of the terminal; `nil` if a row is one line.
    let width: Int?
    let isColored: Bool
    let now: Date

    func lines(_ responses: [ListedResponse], _ policy: CachingPolicy) -> [String] {
        guard !responses.isEmpty else { return [] }
        var table = TextTable(["response", "status", "bytes", "type", "fresh", "url"])
        // Without a column for the id, a row fits a terminal. The id is written before the URL instead.
        var narrow = TextTable(["status", "bytes", "fresh", "type", "response and url"])
        for entry in responses {
            let (status, bytes) = ("\(entry.response.head.status)", HumanText.bytes(entry.bytes))
            let seconds = entry.freshSeconds(at: now, policy)
            let fresh = seconds > 0 ? HumanText.duration(.seconds(seconds)) : "stale"
            let url = VisibleText.of(entry.url) + (entry.hasCredentials ? " (with credentials)" : "")
            table.add([entry.response.id, status, bytes, entry.type ?? "-", fresh, url])
            let type = VisibleText.short(entry.type ?? "-", most: 32)
            narrow.add([status, bytes, fresh, type, "\(entry.response.id) \(url)"])
        }
        return colored(table.fits(width) ? table.lines : fitted(narrow), word: "stale", .yellow)
    }

    func lines(_ files: [ListedFile]) -> [String] {
        guard !files.isEmpty else { return [] }
        var table = TextTable(["group", "bytes", "type", "used", "file"])
        for file in files {
            let marks = [
                file.leasedUntil > now ? "leased" : nil,
                file.pinEnd(at: now).map { "pinned until \(EntryTime.text(of: $0))" },
            ].compactMap(\.self)
            table.add([
                file.group.description, HumanText.bytes(file.bytes), file.mimeType, EntryTime.text(of: file.usedAt),
                // On a narrow terminal, the path is on a separate line, which begins with a few blanks.
                TerminalText.path(VisibleText.of(file.path), width: width.map { $0 - TextTable.hanging })
                    + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))"),
            ])
        }
        return colored(fitted(table), word: "pinned", .green)
    }

    private func fitted(_ table: TextTable) -> [String] { width.map { table.hangingLines(width: $0) } ?? table.lines }

    private func colored(_ lines: [String], word: String, _ color: TerminalColor) -> [String] {
        guard isColored else { return lines }
        return lines.map { line in
            // Only the column of the word is colored, not the same word inside a URL.
            guard let range = line.firstRange(of: " \(word) ") ?? line.firstRange(of: "(\(word) ") else { return line }
            let text = line[range].dropFirst().dropLast()
            let (before, after) = (line[..<range.lowerBound], line[range.upperBound...])
            return "\(before)\(line[range].prefix(1))\(color.bold(String(text))) \(after)"
        }
    }
}
