extension Int {
    /// The product of two sizes, or the greatest number there is: sizes of hostile headers are only compared.
    package func multipliedOrMax(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }

    /// The sum of two sizes, or the greatest number there is.
    package func addedOrMax(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
