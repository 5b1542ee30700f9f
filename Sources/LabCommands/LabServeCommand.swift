package import ArgumentParser
import OriginFaults

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

    @Option(
        help: "The address to listen on. Port 0 chooses a free port. Default: 127.0.0.1:8499.", transform: Listen.init)
    package var listen = Listen.standard

    package init() {}

    /// The address of an origin. Any address of the machine is permitted.
    package struct Listen {
        package static let standard = Listen(host: "127.0.0.1", port: 8_499)

        package var host: String
        package var port: Int

        private init(host: String, port: Int) {
            self.host = host
            self.port = port
        }

        package init(_ text: String) throws {
            guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
                throw ValidationError("it must be HOST:PORT, such as 127.0.0.1:8499.")
            }
            self.init(host: text[..<colon].trimming("[]"), port: Int(port))
        }
    }
}

extension Substring {
    fileprivate func trimming(_ characters: String) -> String {
        String(drop { characters.contains($0) }.reversed().drop { characters.contains($0) }.reversed())
    }
}
