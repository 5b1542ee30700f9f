import Base

/// The arguments of faults. Each function removes a segment from the path and parses it.
extension PathSegments {
    private mutating func argument<Value>(
        of fault: String, _ expected: String, _ parse: (Substring) -> Value?
    ) throws(OriginPathError) -> Value {
        let text = take()
        guard let value = parse(text) else {
            throw .badArgument(fault: fault, argument: String(text), expected: expected)
        }
        return value
    }

    mutating func duration(of fault: String) throws(OriginPathError) -> Duration {
        try argument(of: fault, "500ms, 2s or 1.5s, at most 3600s") { Duration(faultArgument: $0) }
    }

    mutating func byteCount(of fault: String) throws(OriginPathError) -> Int {
        try number(of: fault, in: 0...999_999_999_999, "a number of body bytes")
    }

    /// Parses an offset such as `1000` or `after/1000`, in bytes.
    mutating func offset(of fault: String) throws(OriginPathError) -> Int {
        guard first == "after" else { return try byteCount(of: fault) }
        _ = take()
        return try byteCount(of: "\(fault)/after")
    }

    mutating func status(of fault: String) throws(OriginPathError) -> Int {
        try number(of: fault, in: 200...599, "a status from 200 to 599")
    }

    mutating func number(
        of fault: String, in range: ClosedRange<Int>, _ expected: String
    ) throws(OriginPathError) -> Int {
        try argument(of: fault, expected) { text in
            Int(decimalDigits: text, atMost: 12).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Parses a number of bytes: `4000`, `200k` (of 1024 bytes) or `1m` (of 1024 k).
    mutating func size(of fault: String, atMost most: Int) throws(OriginPathError) -> Int {
        try argument(of: fault, "4000, 200k or 1m, at most \(most >> 20)m") { text in
            let unit = text.hasSuffix("k") ? 1 << 10 : text.hasSuffix("m") ? 1 << 20 : 1
            let number = Int(decimalDigits: unit == 1 ? text : text.dropLast(), atMost: 9)
            return number.flatMap { $0 * unit <= most ? $0 * unit : nil }
        }
    }

    /// Parses the deviation of a logarithm, such as `0.5`.
    mutating func deviation(of fault: String) throws(OriginPathError) -> Double {
        try argument(of: fault, "a median and a deviation from 0 to 3, such as 300ms/0.5") { text in
            Double(text).flatMap { (0...3).contains($0) ? $0 : nil }
        }
    }

    /// Parses the name of a header.
    mutating func fieldName(of fault: String) throws(OriginPathError) -> String {
        try argument(of: fault, "the name of a header, such as Cookie") { text in
            FieldEdit("-\(text)").map { _ in String(text) }
        }
    }

    mutating func fieldEdit(of fault: String) throws(OriginPathError) -> FieldEdit {
        let text = try Self.decode(take())
        guard let edit = FieldEdit(text) else {
            throw .badArgument(
                fault: fault, argument: text, expected: "Name:value, +Name:value or -Name, percent-encoded")
        }
        return edit
    }

    /// Parses a segment that must be one of a few names.
    mutating func choice<Meaning>(
        of fault: String, _ meanings: KeyValuePairs<String, Meaning>
    ) throws(OriginPathError) -> Meaning {
        let spellings = meanings.map { "\(fault)/\($0.key)" }
        let all = [spellings.dropLast().joined(separator: ", "), spellings.last ?? ""].filter { !$0.isEmpty }
        return try argument(of: fault, all.joined(separator: " or ")) { name in
            meanings.first { $0.key == name }?.value
        }
    }
}

extension Duration {
    /// The longest duration of a fault. A longer duration is probably a mistake, and `/stall` never ends.
    package static let maxFault = Duration.seconds(3600)

    /// Parses a text such as `500ms`, `2s` or `1.5s`. Other forms, and more than ``longestFault``, result in `nil`.
    package init?(faultArgument text: some StringProtocol) {
        let number: Substring
        let unit: Int64
        if text.hasSuffix("ms") {
            (number, unit) = (Substring(text.dropLast(2)), 1_000_000)
        } else if text.hasSuffix("s") {
            (number, unit) = (Substring(text.dropLast(1)), 1_000_000_000)
        } else {
            return nil
        }
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        // At most seven digits before the point and nine after it keep each product below far from an overflow.
        guard let whole = Int(decimalDigits: parts[0], atMost: 7) else { return nil }
        var nanoseconds = Int64(whole) * unit
        if parts.count == 2 {
            guard let fraction = Int(decimalDigits: parts[1], atMost: 9) else { return nil }
            var scale: Int64 = 1
            for _ in parts[1].utf8 { scale *= 10 }
            nanoseconds += Int64(fraction) * unit / scale
        }
        self = .nanoseconds(nanoseconds)
        guard self <= Self.maxFault else { return nil }
    }
}
