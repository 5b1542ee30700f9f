import ArgumentParser
import JSON
import Lab
import LinuxIO
import NotificationModel
import NotificationProcessor
import ServiceConfiguration

struct LabDemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Play the main job: real payloads, a local origin, good and bad media.",
        discussion: """
            Starts an origin on loopback that serves FIXTURES/media, processes each request of FIXTURES/demo against it \
            through the real pipeline, prints a table, and writes each result to ROOT/demo. Status 1 when a result is \
            not the one that the request's file expects.
            """)

    @Option(help: "The folder of the app group containers.")
    var root = "./var"

    @Option(help: "The folder with media and demo below it.")
    var fixtures = "fixtures"

    func run() async throws {
        let cases = try DemoCase.all(in: fixtures + "/demo")
        var configuration = Configuration.ofThisMachine
        configuration.root = root
        configuration.fetch.allowAddresses = ["127.0.0.0/8"]
        let runtime = try Runtime(configuration)
        let results = root + "/demo"
        do {
            try FileSystem.makeDirectories(results)
            let origin = try await MisbehavingOrigin.start(serving: fixtures + "/media")
            let table = DemoTable()
            StandardStreams.output(table.head)
            var surprises = 0
            for demo in cases {
                let notification = try await demo.play(through: runtime.pipeline, origin: origin.baseURL)
                let path = "\(results)/\(notification.id).json"
                try FileSystem.replace(
                    path, with: JSONWriter.bytes(of: notification.json, pretty: true) + "\n".utf8)
                let isExpected = demo.expects(notification)
                surprises += isExpected ? 0 : 1
                StandardStreams.output(table.row(demo.title, notification, path: path, isExpected: isExpected))
            }
            await origin.stop()
            await runtime.shutdown()
            StandardStreams.output(
                "\nRenditions are in \(root)/group.demo/media, the index in \(root)/group.demo/index.sqlite.")
            guard surprises == 0 else {
                throw CommandFailure(.failed, "\(surprises) of \(cases.count) came out otherwise than expected")
            }
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure(.failed, "lab demo: \(error)")
        }
    }
}
