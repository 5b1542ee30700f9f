import CommandSupport
import Composition
import JSON
import Lab
import LabCommands
import LinuxIO
import NotificationModel
import ServiceConfiguration

extension LabDemoCommand: PerformableCommand {
    func perform() async throws {
        let cases = try DemoCase.all(in: fixtures + "/demo")
        var configuration = Configuration.ofThisMachine
        configuration.root = root
        configuration.fetch.allowAddresses = ["127.0.0.0/8"]
        // All faults come from the same origin, so the circuit breaker would open for the cases without a fault.
        configuration.fetch.limits.circuitBreaker = false
        let runtime = try Runtime(configuration)
        let results = root + "/demo"
        do {
            try FileSystem.makeDirectories(results)
            let origin = try await MisbehavingOrigin.start(serving: fixtures + "/media")
            let table = DemoTable(width: StandardStreams.terminalColumns, isColored: StandardStreams.isColored)
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
            StandardStreams.output("")
            for line in WrappedText.lines(
                of: "Renditions are in \(root)/group.demo/media, the index in \(root)/group.demo/index.sqlite.",
                after: "",
                indent: 0, width: StandardStreams.terminalColumns)
            { StandardStreams.output(line) }
            guard surprises == 0 else {
                throw CommandFailure(.failed, "\(surprises) of \(cases.count) results differ from the expected ones")
            }
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure(.failed, "lab demo: \(error)")
        }
    }
}
