/// An error of a benchmark, as a sentence for people.
package struct BenchFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
