import Foundation
import Lab
import LinuxIO
import TestSupport
import Testing

/// Tests of `examples/read_container.py`, which reads a container like a content extension.
@Suite(.timeLimit(.minutes(1))) struct ReadContainerTests {
    private func read(_ root: String, _ message: String) throws -> (status: Int32, lines: [String]) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "\(Fixtures.project)/examples/read_container.py")
        process.arguments = ["\(root)/group.default", message]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        return (process.terminationStatus, lines)
    }

    @Test func `the files of a message are found by the message id and by the provider's id`() async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            _ = try await ProgramRun.appgroupd(
                "process", "--root", root.path, "--allow-address", "127.0.0.0/8", "--id", "order-17", "-",
                input: ServedPayload.twoMee(origin.image, providerID: "msg-bb"))
        }
        let found = try read(root.path, "order-17")
        #expect(found.status == 0)
        #expect(found.lines.map { $0.split(separator: "\t")[2] } == ["attachment", "thumbnail"])
        for line in found.lines {
            let cells = line.split(separator: "\t").map(String.init)
            #expect(FileSystem.size(of: cells[5]) == Int(cells[4]))
        }
        #expect(try read(root.path, "msg-bb").lines == found.lines)
        #expect(try read(root.path, "nobody").status == 1)
        try FileSystem.remove(try #require(found.lines.first?.split(separator: "\t").last.map(String.init)))
        #expect(try read(root.path, "order-17").status == 1)
    }
}
