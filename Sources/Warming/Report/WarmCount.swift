import JSON

extension JSONValue {
    /// The integer of a journal or of a daemon's response, clamped to 0…2^50; 0 if the value is not an integer.
    var count: Int { min(max(0, integer ?? 0), 1 << 50) }
}

extension Int {
    /// Adds a number. A sum that is too large becomes `Int.max`.
    mutating func add(clamping number: Int) {
        let (sum, isTooLarge) = addingReportingOverflow(number)
        self = isTooLarge ? .max : sum
    }
}
