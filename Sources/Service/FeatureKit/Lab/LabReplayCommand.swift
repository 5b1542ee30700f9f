package import ArgumentParser

package struct LabReplayCommand: LabProgramCommand {
    package static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Play failed requests again, which the daemon has recorded.",
        discussion: """
            `appgroupd serve --record FOLDER` records the requests that fail: the payload, the answers of the origins \
            with their times, and the outcome. A replay has the same answers, in virtual time, and expects the same \
            outcome, the same reason, and a time like the recorded one.

            A recording is a scenario, so `appgroupd lab run FOLDER` plays it as well. Secrets are not recorded, but the \
            texts of the payloads are. docs/use/testing.md lists what is left out.

            Status 0: each request fails as it did. Status 1: one does not, for example because it is repaired. Status \
            2: wrong usage, or no such recording. Status 3: the laboratory itself has failed.

            Examples:
              appgroupd lab replay ./recordings
              appgroupd lab replay --folder ./recordings msg-1
            """)

    @Argument(
        help: ArgumentHelp(
            "The folders of recordings, their files, or the ids of requests.", valueName: "folder|id"))
    package var places: [String]

    @OptionGroup package var recordings: RecordingOptions
    @OptionGroup package var options: ScenarioPlayOptions

    package init() {}
}

/// The options of the commands that find a recording by the id of its request.
package struct RecordingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder in which the recording of an id is. Default: record.folder of the configuration.",
            valueName: "folder"))
    package var folder: String?

    @Option(help: "The app group of the request with the id. Default: group.default.")
    package var group = "group.default"

    @Option(
        help: ArgumentHelp(
            "The configuration file that names the folder. Default: /etc/appgroupd/appgroupd.yaml, if it exists.",
            valueName: "file"))
    package var config: String?

    package init() {}
}
