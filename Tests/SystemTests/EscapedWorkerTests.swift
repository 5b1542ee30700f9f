import Base
import Foundation
import LinuxIO
import TestSupport
import Testing

/// Tests of the program with a worker that an attacker controls. The recipient gets the text in time, and the operator
/// gets the name of the forbidden call.
struct EscapedWorkerTests {
    /// Returns a directory with the programs, in which the escaping worker replaces the real one.
    private static func place() throws -> TemporaryDirectory {
        let place = try TemporaryDirectory()
        try FileManager.default.copyItem(atPath: BuiltProducts.appgroupd, toPath: place.path + "/appgroupd")
        let worker = try place.write(
            """
            #!/bin/sh
            exec \(BuiltProducts.path(of: "escaping-worker")) openat / 0 "$@"
            """, as: "appgroupd-transcode")
        try #require(chmod(worker, 0o755) == 0)
        return place
    }

    @Test func `a compromised worker loses only its own image, and the text is still emitted`() async throws {
        let place = try Self.place()
        let image = try Data(contentsOf: URL(filePath: Fixtures.media + "/photo-small.jpg")).base64EncodedString()
        let run = try await ProgramRun.appgroupd(
            ["process", "--root", place.path + "/root", "-"],
            input: #"{"aps":{"alert":"Dinner is ready"},"image":"data:image/jpeg;base64,\#(image)"}"#,
            through: ["/bin/sh", "-c", #"shift; exec "$0" "$@""#, place.path + "/appgroupd"])
        let content = try #require(try run.contents.first, "\(run.errors)")
        #expect(run.status == 0)
        #expect(content["reason"] == "worker-crashed")
        #expect(content["content"]["body"] == "Dinner is ready")
        #expect(
            content["verdicts"]?.array?.first?["detail"]
                == "the worker ended while it processed this file, by the forbidden call openat")
    }
}
