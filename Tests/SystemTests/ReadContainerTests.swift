import Lab
import LinuxIO
import TestSupport
import Testing

/// Tests of `examples/read_container.py`, which reads a container like a content extension.
@Suite(.timeLimit(.minutes(1))) struct ReadContainerTests {
    @Test func `the files of a message are found by the message id and by the provider's id`() async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            _ = try await ProgramRun.appgroupd(
                "process", "--root", root.path, "--allow-address", "127.0.0.0/8", "--id", "order-17", "-",
                input: ServedPayload.twoMee(origin.image, providerID: "msg-bb"))
        }
        let group = root.path + "/group.default"
        let found = try ExampleReader.files.run(group, "order-17")
        #expect(found.status == 0)
        #expect(found.lines.map { $0[2] } == ["attachment", "thumbnail"])
        for cells in found.lines { #expect(FileSystem.size(of: cells[5]) == Int(cells[4])) }
        #expect(try ExampleReader.files.run(group, "msg-bb").lines == found.lines)
        #expect(try ExampleReader.files.run(group, "unknown").status == 1)
        try FileSystem.remove(try #require(found.lines.first?.last))
        #expect(try ExampleReader.files.run(group, "order-17").status == 1)
    }
}
