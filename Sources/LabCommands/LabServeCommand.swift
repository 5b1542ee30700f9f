package import ArgumentParser
import CommandSupport
import OriginFaults
package import ServiceConfiguration

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
