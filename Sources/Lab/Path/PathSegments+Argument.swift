import Primitives

/// The arguments of faults. Each function removes a segment from the path and parses it.
extension PathSegments {
    mutating func duration(of fault: String) throws(OriginPathError) -> Duration {
        let text = take()
        guard let duration = Duration(faultArgument: text) else {
            throw .badArgument(
                fault: fault, argument: String(text), expected: "500ms, 2s or 1.5s, at most 3600s")
        }
        return duration
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
        let text = take()
        guard let number = Int(decimalDigits: text, atMost: 12), range.contains(number) else {
            throw .badArgument(fault: fault, argument: String(text), expected: expected)
        }
        return number
    }

    /// Parses a number of bytes: `4000`, `200k` (of 1024 bytes) or `1m` (of 1024 k).
    mutating func size(of fault: String, atMost most: Int) throws(OriginPathError) -> Int {
        let text = take()
        let unit = text.hasSuffix("k") ? 1 << 10 : text.hasSuffix("m") ? 1 << 20 : 1
        guard let number = Int(decimalDigits: unit == 1 ? text : text.dropLast(), atMost: 9), number * unit <= most
        else {
            throw .badArgument(
                fault: fault, argument: String(text), expected: "4000, 200k or 1m, at most \(most >> 20)m")
        }
        return number * unit
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
        let name = take()
        guard let meaning = meanings.first(where: { $0.key == name })?.value else {
            let spellings = meanings.map { "\(fault)/\($0.key)" }
            let all = [spellings.dropLast().joined(separator: ", "), spellings.last ?? ""].filter { !$0.isEmpty }
            throw .badArgument(fault: fault, argument: String(name), expected: all.joined(separator: " or "))
        }
        return meaning
    }
}
