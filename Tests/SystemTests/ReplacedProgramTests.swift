import Base
import Foundation
import HTTPAPI
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests of a worker that was replaced while its daemon runs, and of an installation whose programs are of two builds.
@Suite(.timeLimit(.minutes(2))) struct ReplacedProgramTests {
    /// A directory with the programs.
    private struct Place {
        let directory: TemporaryDirectory
        var worker: String { directory.path + "/appgroupd-transcode" }
        /// The program and arguments that start this copy of the daemon instead of the built one.
        var wrapper: [String] { ["/bin/sh", "-c", #"shift; exec "$0" "$@""#, directory.path + "/appgroupd"] }

        init() throws {
            directory = try TemporaryDirectory()
            for name in ["appgroupd", "appgroupd-transcode"] {
                try FileManager.default.copyItem(
                    atPath: BuiltProducts.path(of: name), toPath: "\(directory.path)/\(name)")
            }
        }

        /// Replaces the worker as an installation does: with a new file of the same name.
        func replaceWorker(with script: String) throws {
            let path = try directory.write("#!/bin/sh\n\(script)\n", as: "new")
            try #require(chmod(path, 0o755) == 0)
            try FileSystem.rename(path, to: worker)
        }

        /// Replaces the worker with one of another build.
        func replaceWorkerByOtherBuild() throws {
            let own = BuiltProducts.path(of: "appgroupd-transcode")
            try replaceWorker(with: #"exec '\#(own)' "$@" --build 0123456789ab"#)
        }
    }

    private static func payload() throws -> String {
        let image = try Data(contentsOf: URL(filePath: Fixtures.media + "/photo-small.jpg")).base64EncodedString()
        return #"{"aps":{"alert":"Dinner is ready"},"image":"data:image/jpeg;base64,\#(image)"}"#
    }

    @Test func `a daemon keeps the worker of its start when the file is replaced`() async throws {
        let place = try Place()
        try await ServedRoot.withRoot { root in
            _ = try await root.start(through: place.wrapper)
            try place.replaceWorker(with: "exit 1")
            let posted = try await root.client.post(try Self.payload())
            #expect(posted.json["outcome"] == "rich", "\(posted.json)")
            #expect(try await root.client.request("GET", "/readyz").status == 200)
        }
    }

    @Test func `a worker of another build makes no media, and the daemon is not ready`() async throws {
        let place = try Place()
        try place.replaceWorkerByOtherBuild()
        try await ServedRoot.withRoot { root in
            _ = try await root.start(through: place.wrapper)
            let posted = try await root.client.post(try Self.payload())
            #expect(posted.json["content"]["body"] == "Dinner is ready")
            let detail = posted.json["verdicts"]?.array?.first?["detail"]?.string ?? ""
            #expect(detail.contains("is of another build than this program"), "\(posted.json)")
            let ready = try await root.client.request("GET", "/readyz")
            #expect(ready.status == 503)
            #expect(String(decoding: ready.body, as: UTF8.self).contains("the worker is of another build"))
        }
    }

    @Test func `doctor finds a worker of another build`() async throws {
        let place = try Place()
        try place.replaceWorkerByOtherBuild()
        let run = try await ProgramRun.appgroupd(
            ["doctor", "--root", place.directory.path + "/root", "--format", "json"], through: place.wrapper)
        #expect(run.status == 1)
        let found = try JSONParser.value(of: run.output.joined())["checks"]?.array?.filter { $0["status"] == "failed" }
        #expect(found?.contains { $0["found"]?.string?.contains("of another build") == true } == true, "\(run.output)")
    }
}
