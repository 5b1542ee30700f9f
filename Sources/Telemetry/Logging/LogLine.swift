/// A record as the bytes of one line, at most 16 KiB long.
package enum LogLine {
    /// With the line's end. What a pipe takes at once where it is empty, and far more than a person reads.
    package static let mostBytes = 16 << 10

    /// Texts longer than the line are cut before anything else is made of them; the others as little as it takes.
    private static let cuts = [(mostBytes, 512), (4_096, 64), (1_024, 32), (256, 16), (64, 8)]

    package static func bytes(of record: LogRecord, layout: LogLayout) -> [UInt8] {
        for (texts, lists) in cuts {
            let line = text(of: record.cut(textsTo: texts, listsTo: lists), layout)
            if line.utf8.count < mostBytes { return Array(line.utf8) + [UInt8(ascii: "\n")] }
        }
        // Nested lists of lists: what is left is the message.
        let rest = record.cut(textsTo: 256, listsTo: 0)
        return Array(text(of: rest, layout).utf8) + [UInt8(ascii: "\n")]
    }

    private static func text(of record: LogRecord, _ layout: LogLayout) -> String {
        switch layout {
        case .text(let colours): record.text(colours: colours)
        case .json: record.json
        }
    }
}
