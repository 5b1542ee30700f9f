package import ArgumentParser

package struct LabBenchCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure on this machine whether results are emitted in time.",
        discussion: """
            `late` measures how long after its deadline each result is emitted, while every core decodes 12-megapixel \
            photos. For comparison, a timer in the same process (the control timer) has the same deadlines. `cancel` \
            cancels all running requests, and measures the time until the last result is emitted and the last \
            connection to the origin is closed. `text` measures the processor time of payloads without media, and \
            `dialects` the processor time of the search for the dialect of a payload.

            Each benchmark runs the daemon's code in the process of the command. `late` and `cancel` also use a \
            journal, and an origin on loopback that never answers the measured requests. Status 1: the target is missed.

            Examples:
              appgroupd lab bench late --requests 1000 --budget 2s
              appgroupd lab bench cancel --requests 500
              appgroupd lab bench text
              appgroupd lab bench dialects
            """,
        subcommands: [LateCommand.self, CancelledCommand.self, TextCommand.self, DialectsCommand.self])

    package init() {}

    package struct LateCommand: LabProgramCommand {
        package static let configuration = CommandConfiguration(
            commandName: "late", abstract: "Measure how long after its deadline each result is emitted.")

        @Option(help: "Number of requests at a time.") package var requests = 1_000
        @Option(help: "The budget of each request. Default: 2s.", transform: duration)
        package var budget: Duration = .seconds(2)
        @Option(
            help: """
                The largest permitted difference between the lateness of the results and the lateness of a plain timer \
                with the same deadlines, at the 99.9th percentile. Default: 10ms.
                """,
            transform: duration)
        package var target: Duration = .milliseconds(10)
        @Option(help: "The directory that contains media/.") package var fixtures = "fixtures"

        package init() {}
    }

    package struct CancelledCommand: LabProgramCommand {
        package static let configuration = CommandConfiguration(
            commandName: "cancel", abstract: "Measure how long the cancellation of running requests takes.")

        @Option(help: "Number of requests at a time.") package var requests = 500
        @Option(help: "Number of measurements after a warm-up.") package var rounds = 5
        @Option(help: "The target for the time of the median measurement. Default: 50ms.", transform: duration)
        package var target: Duration = .milliseconds(50)
        @Option(help: "The directory that contains media/.") package var fixtures = "fixtures"

        package init() {}
    }

    package struct TextCommand: LabProgramCommand {
        package static let configuration = CommandConfiguration(
            commandName: "text", abstract: "Measure the processor time of a payload without media.")

        @Option(help: "Number of times that each sample is processed.") package var rounds = 2_000
        @Option(help: "The target for the processor time of the most expensive sample, in microseconds.")
        package var target = 200
        @Option(help: "The directory that has the sample payloads.") package var fixtures = "fixtures"

        package init() {}
    }

    package struct DialectsCommand: LabProgramCommand {
        package static let configuration = CommandConfiguration(
            commandName: "dialects", abstract: "Measure the processor time of the search for a payload's dialect.")

        @Option(help: "Number of searches for each payload.") package var rounds = 20_000
        @Option(help: "The target for the processor time of one search, in microseconds.") package var target = 10

        package init() {}
    }
}
