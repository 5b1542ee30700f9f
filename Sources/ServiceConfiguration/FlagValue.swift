/// A flag of the command line with one value; a flag that is given twice is here twice.
package struct FlagValue: Sendable, Equatable {
    /// With its dashes.
    package let flag: String
    package let text: String

    package init(_ flag: String, _ text: String) {
        self.flag = flag
        self.text = text
    }
}
