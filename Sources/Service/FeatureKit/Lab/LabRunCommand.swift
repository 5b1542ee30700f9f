package import ArgumentParser

package struct LabRunCommand: LabProgramCommand {
    package static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Play scenarios: payloads against an origin with faults, with the expected results.",
        discussion: """
            A scenario is a file of a few lines:

              name: slow picture falls back to text
              payload: push.json
              origin: {/coach/week3.mp4: {stall: {after: 1000}}}
              budget: 2s
              expect: {outcome: fallback, reason: budget-exceeded, within: 2.05s}

            The requests to all hosts, also over TLS, are answered by an origin of the laboratory. Paths that the \
            scenario does not list are answered with 404. The pipeline is that of the daemon. `appgroupd lab new \
            PAYLOAD` writes a first scenario, and docs/use/testing.md explains all keys.

            Status 0: all expectations are met. Status 1: an expectation is not met. Status 2: wrong usage, or a \
            mistake in a file. Status 3: the laboratory itself has failed.

            Examples:
              appgroupd lab run scenarios
              appgroupd lab run --junit results.xml --filter slow scenarios
            """)

    @Argument(help: ArgumentHelp("Files of scenarios, and folders with such files.", valueName: "file"))
    package var files: [String]

    @OptionGroup package var options: ScenarioPlayOptions

    package init() {}
}

package struct LabLintCommand: LabProgramCommand {
    package static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check scenarios without playing them.",
        discussion: """
            Each mistake is reported with its line and column, and with the way to correct it.

            Status 0: no file has a mistake. Status 2: a file has one.

            Example:
              appgroupd lab lint scenarios
            """)

    @Argument(help: ArgumentHelp("Files of scenarios, and folders with such files.", valueName: "file"))
    package var files: [String]

    package init() {}
}

package struct LabNewCommand: LabProgramCommand {
    package static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Write a first scenario for a payload, or the scenario of a recorded request.",
        discussion: """
            The payload is processed with an origin that answers every request with a small sample. The scenario lists \
            the requests of this run and expects its result. Then change the origin or the budget, and the expectation.

            For the id of a request that `appgroupd serve --record FOLDER` has recorded, the scenario repeats the \
            recorded answers, and expects the recorded result. It names the files of the folder.

            Examples:
              appgroupd lab new fixtures/payloads/2mee-alert.json > slow.yaml
              appgroupd lab new --folder ./recordings msg-1 > msg-1.yaml
            """)

    @Argument(help: ArgumentHelp("The file with the payload or the envelope, or an id.", valueName: "file|id"))
    package var payload: String

    @OptionGroup package var recordings: RecordingOptions

    package init() {}
}
