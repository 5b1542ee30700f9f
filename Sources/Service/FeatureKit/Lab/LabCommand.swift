package import ArgumentParser
import Base
import OriginFaults
package import ServiceConfiguration

/// The command `appgroupd lab`. This target has the command line of the laboratory, but not the code of the laboratory.
/// The daemon's program parses the arguments and shows the help. The laboratory's program then carries out the command.
package struct LabCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Show what happens to a push when its media origin has faults.",
        subcommands: [
            LabRunCommand.self, LabReplayCommand.self, LabNewCommand.self, LabLintCommand.self, LabServeCommand.self,
            LabProxyCommand.self, LabDemoCommand.self, LabBenchCommand.self,
        ])

    package init() {}
}

package struct LabDemoCommand: LabProgramCommand {
    package static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Process sample payloads with good and bad media from a local origin.",
        discussion: """
            `demo` starts an origin on loopback that serves FIXTURES/media, and processes each request of \
            FIXTURES/demo as the daemon would. `demo` prints a table, and writes each result to ROOT/demo.

            Status 1: a result differs from the expected result in the request's file.
            """)

    @Option(help: "The directory of the app group containers.")
    package var root = "./var"

    @Option(help: "The directory that contains media/ and demo/.")
    package var fixtures = "fixtures"

    package init() {}
}

/// A command that the program of the laboratory carries out.
package protocol LabProgramCommand: AsyncParsableCommand {}

/// Returns the value of an option that has a duration.
func duration(_ text: String) throws -> Duration {
    try ValidationError.required(DurationText.parse(text), "a duration, such as 500ms, 5s or 2m")
}

package struct LabServeCommand: LabProgramCommand {
    package static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a directory as a media origin that has faults on request.",
        discussion: """
            The path of a URL says which faults the origin shows. Several faults can follow each other, as in \
            /delay/2s/stall/after/1000/photo.jpg. GET / lists the faults, and the files that are served.

            \(FaultReference.text)

            Examples:
              appgroupd lab serve fixtures/media &
              sleep 1
              appgroupd process --root ./var --allow-address 127.0.0.0/8 payload.json
            """)

    @Argument(help: "The directory with the files.")
    package var directory: String

    @Option(help: "The address to listen on. Port 0 chooses a free port. Default: 127.0.0.1:8499.", transform: address)
    package var listen = ListenAddress(host: "127.0.0.1", port: 8_499)

    package init() {}
}

/// Parses the address of an origin. All addresses of the machine are permitted.
private func address(_ text: String) throws -> ListenAddress {
    try ValidationError.required(ListenAddress(text), "HOST:PORT, such as 127.0.0.1:8499")
}
