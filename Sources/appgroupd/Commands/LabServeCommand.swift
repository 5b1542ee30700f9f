import ArgumentParser
import Lab

struct LabServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a folder as a media origin that misbehaves on request.",
        discussion: """
            The path says what goes wrong; faults may follow each other: /delay/2s/stall/after/1000/photo.jpg. \
            GET / lists them, and the files that are served.

            \(FaultReference.text)

            Examples:
              appgroupd lab serve fixtures/media &
              sleep 1
              appgroupd process --root ./var --allow-address 127.0.0.0/8 payload.json
            """)

    @Argument(help: "The folder that holds the files.")
    var directory: String

    @Option(
        help: "Where to listen, on loopback unless you say otherwise; port 0 takes a free one.", transform: Listen.init)
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
                throw ValidationError("it must be HOST:PORT, as 127.0.0.1:8499.")
            }
            self.init(host: text[..<colon].trimming("[]"), port: Int(port))
        }
    }

    func run() async throws {
        let origin: MisbehavingOrigin
        do { origin = try await .start(serving: directory, host: listen.host, port: listen.port) } catch {
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
        abstract: "The timeout laboratory: see what happens to a push when its media misbehave.",
        subcommands: [LabServeCommand.self, LabProxyCommand.self, LabDemoCommand.self, LabBenchCommand.self])
}
