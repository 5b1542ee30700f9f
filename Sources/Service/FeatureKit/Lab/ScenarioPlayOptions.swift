package import ArgumentParser

/// The options of the commands that play scenarios: `lab run` and `lab replay`.
package struct ScenarioPlayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write the results as JUnit's XML.", valueName: "file"))
    package var junit: String?

    @Option(help: ArgumentHelp("Write the results as JSON. - is standard output.", valueName: "file"))
    package var json: String?

    @Option(help: ArgumentHelp("Write the results to an HTML page, after those of earlier runs.", valueName: "file"))
    package var html: String?

    @Option(help: "The number of scenarios at a time, each in a process of its own.")
    package var jobs = 1

    @Option(help: "How often each scenario is played, each time with another seed.")
    package var `repeat` = 1

    @Option(help: "How often a scenario that has failed is played again. It has passed if one of the plays has passed.")
    package var retry = 0

    @Option(help: ArgumentHelp("Play only scenarios with this text in the name or the path.", valueName: "text"))
    package var filter: String?

    @Flag(help: "Play the scenarios again after each change of a file, until ^C.")
    package var watch = false

    @Option(
        name: .customLong("variables"),
        help: ArgumentHelp("The value of {{NAME}} in the scenarios. Repeatable.", valueName: "name=value"),
        transform: Assignment.init)
    package var variables: [Assignment] = []

    @Option(
        name: .customLong("secret"),
        help: ArgumentHelp(
            "The value of {{NAME}}, which all output shows as ***. Repeatable.", valueName: "name=value"),
        transform: Assignment.init)
    package var secrets: [Assignment] = []

    @Flag(
        help: """
            Instead of checking expectations, print the smallest budget with which 99 of 100 plays are rich, each with \
            another seed.
            """)
    package var findBudget = false

    @Option(help: "The seed of all random choices. Default: a seed that the report names.")
    package var seed: UInt64?

    package init() {}

    package func validate() throws {
        guard (1...64).contains(jobs) else { throw ValidationError("--jobs must be from 1 to 64.") }
        guard (1...100_000).contains(self.repeat) else { throw ValidationError("--repeat must be from 1 to 100000.") }
        guard (0...100).contains(retry) else { throw ValidationError("--retry must be from 0 to 100.") }
    }
}

/// A value for a name, such as `token=abc`.
package struct Assignment: Sendable {
    package let name: String
    package let value: String

    package init(_ text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw ValidationError("it must be NAME=VALUE, such as host=cdn.example.")
        }
        (name, value) = (String(parts[0]), String(parts[1]))
    }

    /// The assignment as the value of an option.
    package var text: String { "\(name)=\(value)" }
}
