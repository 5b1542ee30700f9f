/// A number of bytes as people write it: `1000`, `50MB`, `40MiB`.
enum ByteCountText {
    private static let units: [(name: String, bytes: Int)] = [
        ("TiB", 1 << 40), ("TB", 1_000_000_000_000), ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20),
        ("MB", 1_000_000), ("KiB", 1 << 10), ("kB", 1_000), ("KB", 1_000), ("B", 1), ("", 1),
    ]

    static func parse(_ text: String) -> Int? {
        guard let (digits, unit) = split(text), let number = WholeNumberText.parse(digits) else { return nil }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit)
        return isTooLarge ? nil : bytes
    }

    /// In the unit that leaves the fewest digits and no fraction.
    static func text(_ bytes: Int) -> String {
        guard bytes > 0 else { return String(bytes) }
        let whole = units.filter { bytes.isMultiple(of: $0.bytes) && $0.name != "KB" }
        let shortest = whole.min { bytes / $0.bytes < bytes / $1.bytes }
        guard let shortest, shortest.bytes > 1 else { return String(bytes) }
        return "\(bytes / shortest.bytes)\(shortest.name)"
    }

    private static func split(_ text: String) -> (digits: String, unit: Int)? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let name = text[digits.endIndex...]
        guard let unit = units.first(where: { $0.name == name }) else { return nil }
        return (String(digits), unit.bytes)
    }
}
