import JSON

extension JSONValue {
    /// A number of a journal or of a daemon's answer, from 0 to 2^50; 0 if it is no whole number.
    var count: Int { min(max(0, integer ?? 0), 1 << 50) }
}

extension Int {
    /// Adds a number; a sum that does not fit is `Int.max`.
    mutating func add(clamping number: Int) {
        let (sum, isTooLarge) = addingReportingOverflow(number)
        self = isTooLarge ? .max : sum
    }
}
