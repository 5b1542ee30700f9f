import Base
import Foundation
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of several app groups, each with its own spool.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServeGroupTests {
    @Test(arguments: ["group.x", "group.x/incoming"])
    func `the daemon serves a new group after the directory of the group is created`(_ directory: String) async throws {
        try await ServedRoot.withRoot { root in
            _ = try await root.start()
            try FileManager.default.createDirectory(
                atPath: "\(root.path)/\(directory)", withIntermediateDirectories: true)
            try await root.waitForDirectory("incoming", of: "group.x")
            try root.drop(ServedPayload.text("in x"), as: "one", in: "group.x")
            try root.drop("{", as: "bad", in: "group.x")
            try await root.waitForDirectory("outbox", of: "group.x")
            let outbox = try await root.readOutbox(of: "group.x")
            let content = try await outbox.content("one")
            #expect(content["appGroup"] == "group.x")
            #expect(content["content"]["body"] == "in x")
            #expect(root.names(in: "outbox").isEmpty)
            let known = try await root.client.get("one?group=group.x")
            #expect(known.status == 404 || known.json["appGroup"] == "group.x")
            let other = try await root.client.get("one")
            #expect(other.status == 404)
        }
    }

    @Test func `a daemon finds the files that were dropped in any group before its start`() async throws {
        try await ServedRoot.withRoot { root in
            let groups = ["group.default", "group.a", "group.b"]
            for group in groups {
                try FileManager.default.createDirectory(
                    atPath: root.path("incoming", of: group), withIntermediateDirectories: true)
                for number in 0..<5 { try root.drop(ServedPayload.text(group), as: "n-\(number)", in: group) }
            }
            _ = try await root.start()
            for group in groups {
                try await root.waitForDirectory("outbox", of: group)
                let outbox = try await root.readOutbox(of: group)
                try await outbox.taken.wait(forCount: 5)
                for taken in outbox.taken.elements { #expect(taken.content["content"]["body"]?.string == group) }
            }
        }
    }

    @Test func `each group has separate files of the same media item`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                let payload = ServedPayload.media([origin.image])
                for group in ["group.a", "group.b"] {
                    let answer = try await root.client.request(
                        "POST", "/v1/notifications?group=\(group)", body: Array(payload.utf8))
                    #expect(answer.status == 200)
                    #expect(answer.json["appGroup"]?.string == group)
                    let path = try #require(answer.json["content"]["attachments"]?.array?.first["path"]?.string)
                    #expect(FileManager.default.fileExists(atPath: "\(root.path)/\(group)/\(path)"))
                }
            }
        }
    }

    @Test func `a daemon with a list of groups refuses other groups`() async throws {
        try await ServedRoot.withRoot { root in
            let path = try root.write("groups: [group.a]\n", as: "appgroupd.yaml")
            let daemon = try await root.start("--config", path)
            let outbox = try await root.readOutbox()
            #expect(root.names(in: ".", of: "group.a").contains("incoming"))
            for (group, status) in [("group.a", 200), ("group.default", 200), ("group.b", 400)] {
                let answer = try await root.client.post(
                    ServedPayload.envelope(ServedPayload.text("b"), budget: "5s", #", "appGroup": "\#(group)""#))
                #expect(answer.status == status, "\(group)")
            }
            #expect(!FileManager.default.fileExists(atPath: "\(root.path)/group.b"))

            // The daemon does not touch the directory of another group.
            try FileManager.default.createDirectory(
                atPath: root.path("incoming", of: "group.b"), withIntermediateDirectories: true)
            try root.drop(ServedPayload.text("b"), as: "one", in: "group.b")
            try root.drop(ServedPayload.text("b"), as: "one")
            _ = try await outbox.content("one")
            #expect(root.names(in: "incoming", of: "group.b") == ["one.json"])

            // An envelope cannot select another group through the spool of a listed group.
            try root.drop(
                ServedPayload.envelope(ServedPayload.text("b"), budget: "5s", #", "appGroup": "group.a""#), as: "two")
            try await daemon.log.wait(for: "a spooled file was rejected")
            #expect(root.names(in: "rejected") == ["two.error.json", "two.json"])
        }
    }
}
