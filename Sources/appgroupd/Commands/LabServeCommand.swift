import ArgumentParser
import Lab

struct LabServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
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
    var directory: String

    @Option(
        help: "The address to listen on. Port 0 chooses a free port. Default: 127.0.0.1:8499.", transform: Listen.init)
    var listen = Listen.standard

    struct Listen {
        static let standard = Listen(host: "127.0.0.1", port: 8_499)

        var host: String
        var port: Int

        private init(host: String, port: Int) {
            self.host = host
            self.port = port
        }

        init(_ text: String) throws {
            guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
                throw ValidationError("it must be HOST:PORT, such as 127.0.0.1:8499.")
            }
            self.init(host: text[..<colon].trimming("[]"), port: Int(port))
        }
    }

    func run() async throws {
        let origin: MisbehavingOrigin
        do {
            origin = try await .start(serving: directory, host: listen.host, port: listen.port, isLaboratory: true)
        } catch {
            let isUsage = if case OriginStartError.directory = error { true } else { false }
            throw CommandFailure(isUsage ? .usage : .failed, "lab serve: \(error)")
        }
        StandardStreams.output("\(origin.baseURL) serves \(directory); end it with ^C")
        await TerminationSignal.wait()
        await origin.stop()
    }
}

extension Substring {
    fileprivate func trimming(_ characters: String) -> String {
        String(drop { characters.contains($0) }.reversed().drop { characters.contains($0) }.reversed())
    }
}

struct LabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Show what happens to a push when its media origin has faults.",
        subcommands: [LabServeCommand.self, LabProxyCommand.self, LabDemoCommand.self, LabBenchCommand.self])
}
