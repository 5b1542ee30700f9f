package import JSON
package import Primitives

extension DurationDistribution {
    /// Returns a quantile in milliseconds with one digit after the decimal point; `null` without values.
    package func json(_ share: Double) -> JSONValue { quantile(share).map { .number(.tenths(of: $0)) } ?? .null }
}
