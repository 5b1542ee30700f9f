/// The format `date-time` of JSON Schema (RFC 3339 §5.6). The second 60 is valid on all days, because leap seconds
/// cannot be predicted.
struct DateTimeFormat {
    // The semantics is set once here, because a literal in the function would set it again for each match.
    private let shape =
        /([0-9]{4})-(0[1-9]|1[0-2])-([0-3][0-9])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?([Zz]|[+\-]([01][0-9]|2[0-3]):[0-5][0-9])/
        .matchingSemantics(.unicodeScalar)

    func matches(_ text: String) -> Bool {
        guard let match = text.wholeMatch(of: shape), let year = Int(match.1), let month = Int(match.2),
            let day = Int(match.3)
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...lengths[month - 1]).contains(day)
    }
}
