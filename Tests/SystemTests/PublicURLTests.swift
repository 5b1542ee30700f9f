import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of renditions that a running daemon serves under `publicURL`, and of the doctor's look at them.
@Suite(.timeLimit(.minutes(2))) struct PublicURLTests {
    private static let payload = #"{"aps": {"alert": "x", "mutable-content": 1}, "image": "@/photo-small.jpg"}"#

    /// Returns the doctor's finding about the public URL.
    private static func finding(_ root: ServedRoot, _ yaml: String) async throws -> (status: String, found: String) {
        let run = try await ProgramRun.appgroupd(
            "doctor", "--root", root.path, "--config", yaml, "--format", "json")
        let checks = try #require(try run.contents.first?["checks"]?.array)
        let check = try #require(checks.first { $0["name"]?.string == "public URL" })
        return (check["status"]?.string ?? "", check["found"]?.string ?? "")
    }

    private static func writeKey(_ key: Character, as name: String, in root: ServedRoot) throws -> String {
        let path = try root.write(String(repeating: key, count: 43), as: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }

    @Test(arguments: [false, true])
    func `the daemon serves renditions under publicURL, and doctor compares the bytes`(_ isSigned: Bool) async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let port = try LoopbackPort.free()
                let url = "publicURL: http://127.0.0.1:\(port)\n"
                let key = try Self.writeKey("k", as: "key", in: root)
                let yaml = try root.write(
                    url + (isSigned ? "media: {signingKeyFile: \(key)}\n" : ""), as: "appgroupd.yaml")
                let daemon = try await root.start("--config", yaml, "--listen", "127.0.0.1:\(port)")
                let unused = try await Self.finding(root, yaml)
                #expect(unused.status == "ok" && unused.found.contains("not tried"), "\(unused.found)")

                let answer = try await root.client.post(Self.payload.replacing("@", with: origin.baseURL))
                let attachment = try #require(answer.json["content"]["attachments"]?.array?.first)
                #expect(attachment["publicURL"]?.string?.contains("signature=") == isSigned)
                let served = try await Self.finding(root, yaml)
                #expect(served.status == "ok" && served.found.contains("the rendition"), "\(served.found)")

                let otherKey = try Self.writeKey("o", as: "other key", in: root)
                let other = try root.write("\(url)media: {signingKeyFile: \"\(otherKey)\"}\n", as: "other.yaml")
                let forged = try await Self.finding(root, other)
                #expect(forged.status == (isSigned ? "failed" : "ok"), "\(forged.found)")

                try await daemon.terminate()
                let ended = try await Self.finding(root, yaml)
                #expect(ended.status == "failed" && ended.found.contains("connect-failed"), "\(ended.found)")
            }
        }
    }

    @Test func `a root with files of another group is refused with the command that corrects it`() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path + "/a root/group.demo/media", withIntermediateDirectories: true)
        let yaml = try directory.write("listen: none\nfiles:\n  group: \"54321\"\n", as: "appgroupd.yaml")
        for command in ["config", "serve"] {
            let run = try await ProgramRun.appgroupd(command, "--config", yaml, "--root", directory.path + "/a root")
            #expect(run.status == 2)
            let line = try #require(run.errors.first)
            #expect(line.contains("files.group: \(directory.path)/a root/group.demo"), "\(line)")
            #expect(line.contains("chgrp -R 54321 '\(directory.path)/a root'"), "\(line)")
        }
    }
}
