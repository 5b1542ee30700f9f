import Base
import Features
import Foundation
import GRDB
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

@testable import appgroupd

/// Tests of erasures with a real daemon, its spool, its batches, its workers and an origin.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ServeErasureTests {
    /// A name that only one recipient has, so that each file with it is found.
    private static let name = "rosenrot-anna"

    private static func payload(_ url: String, id: String, to recipient: String) -> String {
        #"{"id":"\#(id)","recipient":"\#(recipient)","payload":{"aps":{"alert":"A photo","mutable-content":1,"thread-id":"t"},"image":"\#(url)"}}"#
    }

    /// Returns the paths, below the root, of the files with a text.
    private static func files(of root: ServedRoot, with text: String) throws -> [String] {
        let needle = Data(text.utf8)
        guard let all = FileManager.default.enumerator(atPath: root.path) else { return [] }
        return try all.compactMap { $0 as? String }.filter { path in
            var isDirectory: ObjCBool = false
            let whole = root.path + "/" + path
            guard FileManager.default.fileExists(atPath: whole, isDirectory: &isDirectory), !isDirectory.boolValue,
                !path.hasSuffix(".sock")
            else { return false }
            return try path.contains(text) || Data(contentsOf: URL(filePath: whole)).range(of: needle) != nil
        }
    }

    /// Gives a daemon work on each of its inputs, for one recipient and for another one.
    private static func work(_ root: ServedRoot, _ origin: MisbehavingOrigin) async throws {
        let (own, shared) = (origin.baseURL + "/photo-12mp.jpg", origin.image)
        for (id, recipient, url) in [("a", name, own), ("b", name, shared), ("c", "ben", shared)] {
            let answer = try await root.client.post(payload(url, id: id, to: recipient))
            #expect(answer.json["outcome"] == "rich")
        }
        let outbox = try await root.readOutbox()
        try root.drop(payload(shared, id: "d", to: name), as: "d")
        try await outbox.taken.wait(forCount: 1)
        try root.drop(#"{"recipient": "\#(name)" "payload"}"#, as: "bad")
        try await wait(for: "the rejected file", atMost: .seconds(20)) {
            !root.names(in: "rejected").isEmpty
        }
        let lines = [name, "ben"].map { #"{"recipient":"\#($0)","payload":{"aps":{"alert":"B"}}}"# }
        let batch = try await root.client.request(
            "POST", "/v1/notifications:batch", headers: ["prefer": "respond-async", "idempotency-key": "batch-1"],
            body: Array(lines.joined(separator: "\n").utf8))
        #expect(batch.status == 202)
        try await wait(for: "the end of the batch", atMost: .seconds(30)) {
            try await root.client.request("GET", "/v1/batches/batch-1").json["state"] == "ended"
        }
        let recipient = try await root.client.request(
            "PUT", "/v1/recipients/\(name)", body: Array(#"{"labels":["x"]}"#.utf8))
        #expect(recipient.status == 201)
    }

    private static func erase(_ query: String, _ client: DaemonClient) async throws -> JSONValue {
        let answer = try await client.request("DELETE", "/v1/notifications?\(query)")
        #expect(answer.status == 202)
        let place = try #require(answer.headers["location"])
        try await wait(for: "the end of the erasure", atMost: .seconds(30)) {
            try await client.request("GET", place).json["state"] == "done"
        }
        return try await client.request("GET", place).json
    }

    @Test func `after the erasure of a recipient, no file under the root has its name`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                try await Self.work(root, origin)
                // A request that is still running, and one that the reader of the outbox has not taken.
                let stalled = Self.payload(origin.baseURL + "/stall/headers/photo-small.jpg", id: "e", to: Self.name)
                let accepted = try await root.client.request(
                    "POST", "/v1/notifications", headers: ["prefer": "respond-async"], body: Array(stalled.utf8))
                #expect(accepted.status == 202)
                #expect(try !Self.files(of: root, with: Self.name).isEmpty)
                let erased = try await Self.erase("recipient=\(Self.name)", root.client)["erased"]
                #expect(try Self.files(of: root, with: Self.name) == [])
                #expect(erased?["cancelled"]?.integer == 1 && erased?["receivers"]?.integer == 1)
                let files = (erased?["mediaFiles"]?.integer ?? 0, erased?["sharedFiles"]?.integer ?? 0)
                #expect(files.0 > 0 && files.1 > 0)
                #expect(erased?["batchLines"]?.integer == 2)
                // The other recipient keeps its notifications, and the file that it shares.
                let other = try await root.client.request("GET", "/v1/notifications?recipient=ben").json
                #expect(other["notifications"]?.array?.count == 2)
                let kept = try await root.client.request("GET", "/v1/notifications/c").json
                let path = try #require(kept["content"]["attachments"]?.array?.first?["path"]?.string)
                #expect(FileManager.default.fileExists(atPath: root.path("") + path))
                let gone = try await root.client.request("GET", "/v1/notifications/a")
                #expect(gone.status == 404)
            }
        }
    }

    @Test func `the table of erasures knows each table and each directory of a busy root`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                try await Self.work(root, origin)
                let places = try await Self.places(of: root)
                #expect(places.isSuperset(of: ["outbox", "media", "journal.sqlite/request", "index.sqlite/message"]))
                #expect(places.subtracting(ErasurePlaces(Features.all).all) == [])
            }
        }
    }

    /// Returns the directories below the root and below a group, and the tables of the journal and of an index.
    private static func places(of root: ServedRoot) async throws -> Set<String> {
        var places: Set<String> = []
        let manager = FileManager.default
        for (prefix, directory) in [
            ("", root.path), ("", root.path + "/group.default"), (".appgroupd/", root.path + "/.appgroupd"),
        ] {
            for name in try manager.contentsOfDirectory(atPath: directory) where name != "group.default" {
                var isDirectory: ObjCBool = false
                _ = manager.fileExists(atPath: "\(directory)/\(name)", isDirectory: &isDirectory)
                if isDirectory.boolValue { places.insert(prefix + name) }
            }
        }
        for path in [".appgroupd/journal.sqlite", "group.default/index.sqlite"] {
            let queue = try DatabaseQueue(path: "\(root.path)/\(path)")
            let tables = try await queue.read {
                try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
            }
            try queue.close()
            places.formUnion(tables.map { "\(URL(filePath: path).lastPathComponent)/\($0)" })
        }
        return places
    }

    @Test func `an erasure of a killed daemon ends after its restart`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let first = try await root.start()
                try await Self.work(root, origin)
                let answer = try await root.client.request("DELETE", "/v1/notifications?recipient=\(Self.name)")
                #expect(answer.status == 202)
                try await first.kill()
                _ = try await root.start()
                let place = try #require(answer.headers["location"])
                try await wait(for: "the end of the erasure", atMost: .seconds(30)) {
                    try await root.client.request("GET", place).json["state"] == "done"
                }
                #expect(try Self.files(of: root, with: Self.name) == [])
            }
        }
    }

    @Test func `a request to a suppressed recipient is refused, and nothing of it is stored`() async throws {
        try await ServedRoot.withRoot { root in
            let daemon = try await root.start()
            _ = try await Self.erase("recipient=\(Self.name)&suppress=true", root.client)
            let request = #"{"recipient":"\#(Self.name)","payload":{"aps":{"alert":"Back"}}}"#
            let answer = try await root.client.post(request)
            #expect(answer.status == 403)
            try await daemon.terminate()
            #expect(try Self.files(of: root, with: Self.name) == [])
            _ = try await root.start()
            let again = try await root.client.post(request)
            #expect(again.status == 403)
        }
    }
}
