import Foundation
import TestSupport
import Testing

/// Tests of the units in `packaging/` with the parser of systemd.
@Suite(.serialized, .timeLimit(.minutes(1))) struct PackagedUnitTests {
    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: Fixtures.project + "/packaging/" + name, encoding: .utf8)
    }

    /// Writes the units with the path of the built program, because systemd checks that the program exists, and returns
    /// the messages of `systemd-analyze verify`.
    private static func verify(_ changes: (String) -> String = { $0 }) throws -> (status: Int32, messages: String) {
        let directory = try TemporaryDirectory()
        let service = try text("appgroupd.service").replacing("/usr/bin/appgroupd", with: BuiltProducts.appgroupd)
        let unit = try directory.write(changes(service), as: "appgroupd.service")
        let socket = try directory.write(try text("appgroupd.socket"), as: "appgroupd.socket")
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/systemd-analyze")
        process.arguments = ["verify", "--man=no", "--recursive-errors=no", unit, socket]
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let messages = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // Messages about other units of the machine do not concern these units.
        let own = messages.split(separator: "\n").filter { $0.contains("appgroupd") }.joined(separator: "\n")
        return (process.terminationStatus, own)
    }

    @Test func `systemd accepts the service and its sockets`() throws {
        let (status, messages) = try Self.verify()
        #expect(status == 0, "\(messages)")
        #expect(messages.isEmpty, "\(messages)")
    }

    @Test func `systemd reports an unknown setting of the service`() throws {
        let (_, messages) = try Self.verify { $0.replacing("WatchdogSec=60", with: "WatchdogSecs=60") }
        #expect(messages.contains("WatchdogSecs"), "\(messages)")
    }

    @Test func `the socket has the place of the packaged configuration`() throws {
        let configuration = try Self.text("appgroupd.yaml")
        let socket = try #require(
            try Self.text("appgroupd.socket").split(separator: "\n").first { $0.hasPrefix("ListenStream=") })
        #expect(configuration.contains("\nsocket: \(socket.dropFirst("ListenStream=".count))\n"))
    }
}
