import Authentication
import Base
import Foundation
import Glibc
import NotificationModel
import TestSupport
import Testing

@testable import Features
@testable import HTTPAPI

/// Tests of the downloads of renditions.
@Suite(.timeLimit(.minutes(1))) struct MediaServingTests {
    private static let digest = MediaBench.digest
    private static let file = MediaBench.file
    private static let path = MediaBench.path
    private static let text = MediaBench.text
    private static let key = String(repeating: "k", count: 43)

    @Test func `a rendition has the fields of a file that never changes`() async throws {
        try await MediaBench.run { bench, _ in
            for method in ["GET", "HEAD"] {
                let answer = try await bench.send(method, Self.path)
                #expect(answer.status == 200)
                #expect(answer.body == (method == "GET" ? Self.text : ""))
                let fields = [
                    "content-length": "10", "content-type": "image/jpeg", "etag": "\"\(Self.digest)\"",
                    "accept-ranges": "bytes", "cache-control": "public, max-age=31536000, immutable",
                    "x-content-type-options": "nosniff", "content-security-policy": "default-src 'none'; sandbox",
                    "cross-origin-resource-policy": "cross-origin", "access-control-allow-origin": "*",
                ]
                for (name, value) in fields { #expect(answer[name] == value, "\(name): \(answer.head)") }
            }
        }
    }

    @Test func `parts, conditions and HEAD follow RFC 9110`() async throws {
        try await MediaBench.run { bench, _ in
            let part = try await bench.send("GET", Self.path, ["Range: bytes=2-4"])
            #expect(part.status == 206 && part.body == "234")
            #expect(part["content-range"] == "bytes 2-4/10" && part["content-length"] == "3")
            let beyond = try await bench.send("GET", Self.path, ["Range: bytes=10-"])
            #expect(beyond.status == 416 && beyond["content-range"] == "bytes */10")
            let known = try await bench.send("GET", Self.path, ["If-None-Match: \"\(Self.digest)\""])
            #expect(known.status == 304 && known.body.isEmpty && known["etag"] == "\"\(Self.digest)\"")
            let other = try await bench.send("GET", Self.path, ["If-Match: \"other\""])
            #expect(other.status == 412 && other.json?["type"]?.string == "/problems/precondition-failed")
            let resumed = try await bench.send(
                "GET", Self.path, ["Range: bytes=8-", "If-Range: \"\(Self.digest)\""])
            #expect(resumed.status == 206 && resumed.body == "89")
        }
    }

    @Test(arguments: [
        "/v1/media/group.other/\(file)", "/v1/media/group.default/\(file.uppercased())",
        "/v1/media/group.default/\(digest)", "/v1/media/group.default/\(digest).",
        "/v1/media/group.default/\(digest).png",
        "/v1/media/group.default/\(digest).JPG", "/v1/media/group.default/\(digest).jpeg",
        "/v1/media/group.default/\(digest).jpg.jpg", "/v1/media/group.default/\(digest).html",
        "/v1/media/group.default/\(digest).svg", "/v1/media/group.default/\(digest).sqlite",
        "/v1/media/group.default/index.sqlite", "/v1/media/group.default/..%2Findex.sqlite",
        "/v1/media/group.default/../index.sqlite", "/v1/media/..%2F..%2Fetc/passwd", "/v1/media/%2e%2e/\(file)",
        "/v1/media/.cache/\(file)", "/v1/media/.appgroupd/\(file)", "/v1/media//\(file)", "/v1/media/group.default/",
        "/v1/media/group.default/%00\(file)", "/v1/media/group.default/\(file)%00", "/v1/media/group.default/\(file)/",
        "/v1/media/group.default%2Fmedia/\(file)", "/v1/media/group.default/ab%2F\(file)", "/v1/media/\(file)",
        "/v1/media/group.default/\(digest.dropLast()).jpg", "/v1/media/group.default/\(digest)0.jpg",
        "/v1/media/group.default/\(String(repeating: "cd", count: 32)).jpg",
    ])
    func `any other name is missing`(_ target: String) async throws {
        try await MediaBench.run { bench, _ in
            let answer = try await bench.send("GET", target)
            #expect(answer.status == 404, "\(answer.head)")
            #expect(!answer.body.contains("secret"))
        }
    }

    @Test func `a symbolic link and a directory are missing`() async throws {
        try await MediaBench.run { bench, media in
            let folder = media.directory.path + "/group.default/media/cd"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let name = String(repeating: "cd", count: 32)
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(name).jpg",
                withDestinationPath: media.directory.path + "/group.default/index.sqlite")
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name).gif", withIntermediateDirectories: true)
            for type in ["jpg", "gif"] {
                #expect(try await bench.send("GET", "/v1/media/group.default/\(name).\(type)").status == 404)
            }
        }
    }

    @Test func `a signed URL permits the download of its file only, until its end`() async throws {
        try await MediaBench.run(keys: Self.key) { bench, media in
            let now = Date()
            let end = now.addingTimeInterval(60)
            let signed = MediaBench.target(media.urls.url(of: Self.file, in: .default, until: end))
            let answer = try await bench.send("GET", signed)
            #expect(answer.status == 200 && answer.body == Self.text)
            let age = try #require(
                answer["cache-control"]?.split(separator: ",").compactMap { field in
                    field.split(separator: "=").last.flatMap { Int($0) }
                }.first)
            #expect((1...60).contains(age))
            let query = try #require(signed.split(separator: "?").last)
            let ended = MediaBench.target(
                media.urls.url(of: Self.file, in: .default, until: now.addingTimeInterval(-1)))
            let refused = [
                (Self.path, "unsigned"), (ended, "expired"), (signed + "x", "forged"),
                ("/v1/media/group.other/\(Self.file)?\(query)", "forged"),
                (signed.replacing("expires=", with: "expires=9"), "forged"),
                (signed.replacing(".jpg", with: ".png"), "forged"),
            ]
            for (target, refusal) in refused {
                let answer = try await bench.send("GET", target)
                #expect(answer.status == 403, "\(target) \(answer.head)")
                #expect(answer.json?["refusal"]?.string == refusal, "\(answer.body)")
                #expect(answer["cache-control"] == nil)
            }
            let twice = try await bench.send("GET", signed + "&expires=1")
            #expect(twice.status == 400)
        }
    }

    @Test func `without publicURL nothing is served`() async throws {
        try await MediaBench.run(isPublic: false) { bench, _ in
            let answer = try await bench.send("GET", Self.path)
            #expect(answer.status == 404 && answer.body.contains("publicURL"))
        }
    }

    @Test func `a phone needs no token, and may come through a proxy and from a page`() async throws {
        var settings = HTTPServerSettings()
        for needsToken in [false, true] {
            settings.needsToken = needsToken
            try await MediaBench.run(settings) { bench, _ in
                let answer = try await bench.send(
                    "GET", Self.path, ["Origin: https://shop.example"], host: "media.example.com")
                #expect(answer.status == 200)
                let preflight = try await bench.send(
                    "OPTIONS", Self.path,
                    ["Origin: https://shop.example", "Access-Control-Request-Method: GET"], host: "media.example.com")
                #expect(preflight.status == 204 && preflight["access-control-allow-methods"] == "GET, HEAD")
                let other = try await bench.send("GET", "/v1/status", host: "media.example.com")
                #expect(other.status == (needsToken ? 401 : 421))
            }
        }
    }

    @Test func `the listener for monitoring serves no renditions`() async throws {
        var settings = HTTPServerSettings()
        settings.monitoring = .init(port: 0)
        try await MediaBench.run(settings) { bench, _ in
            let answer = try await bench.send("GET", Self.path, port: bench.monitoringPort)
            #expect(answer.status == 404)
        }
    }

    @Test func `a token with the scope media needs no signature`() async throws {
        func token(_ name: String, _ scope: Scope, _ groups: GroupPermission) -> StaticToken {
            StaticToken(
                digest: TokenDigest(of: "token-\(name)"), caller: Caller(name: name, groups: groups, scopes: [scope]))
        }
        var settings = HTTPServerSettings()
        settings.needsToken = true
        let tokens = [
            token("media", .media, .all), token("read", .read, .all),
            token("other", .media, GroupPermission(names: ["group.other"])),
        ]
        let access = AccessControl(Authenticator(tokens: tokens, issuers: []))
        try await MediaBench.run(keys: Self.key, settings, access: access) { bench, _ in
            for (name, status) in [("media", 200), ("read", 403), ("other", 403)] {
                let answer = try await bench.send("GET", Self.path, ["Authorization: Bearer token-\(name)"])
                #expect(answer.status == status, "\(name)")
                // A cache that others share must not keep the response.
                if status == 200 { #expect(answer["cache-control"]?.hasPrefix("private,") == true) }
            }
        }
    }

    @Test func `with nginx the response names the file and has no body`() async throws {
        try await MediaBench.run(accelRedirect: "/renditions") { bench, _ in
            let answer = try await bench.send("GET", Self.path, ["Range: bytes=2-4"])
            #expect(answer.status == 200 && answer.body.isEmpty)
            #expect(answer["x-accel-redirect"] == "/renditions/group.default/media/ab/\(Self.file)")
            #expect(answer["content-type"] == "image/jpeg")
            let missing = try await bench.send("GET", Self.path.replacing("jpg", with: "png"))
            #expect(missing.status == 404 && missing["x-accel-redirect"] == nil)
        }
    }

    @Test func `a purge makes a removed file missing at once`() async throws {
        try await MediaBench.run { bench, media in
            #expect(try await bench.send("GET", Self.path).status == 200)
            try FileManager.default.removeItem(atPath: "\(media.directory.path)/group.default/media/ab/\(Self.file)")
            let purge = try await bench.send("POST", "/v1/cache/purge", body: #"{"host": "a.example"}"#)
            #expect(purge.status == 200)
            #expect(try await bench.send("GET", Self.path).status == 404)
        }
    }

    @Test func `a file of mebibytes arrives whole and in parts`() async throws {
        let text = String(decoding: (0..<3_000_000).map { UInt8(ascii: "a") + UInt8($0 % 23) }, as: UTF8.self)
        let name = String(repeating: "ef", count: 32) + ".mp4"
        try await MediaBench.run { bench, media in
            try media.write(text, as: "group.default/media/ef/\(name)")
            let path = "/v1/media/group.default/\(name)"
            let whole = try await bench.send("GET", path)
            #expect(whole.status == 200 && whole["content-type"] == "video/mp4" && whole.body == text)
            let part = try await bench.send("GET", path, ["Range: bytes=1000000-2999998"])
            #expect(part.status == 206)
            #expect(part.body == String(text.dropFirst(1_000_000).dropLast()))
        }
    }

    /// An executor that counts its jobs.
    private final class CountingExecutor: TaskExecutor {
        let jobs = Guarded(0)

        func enqueue(_ job: consuming ExecutorJob) {
            jobs.withLock { $0 += 1 }
            globalConcurrentExecutor.enqueue(job)
        }
    }

    /// Returns whether no piece is read while the server answers other requests.
    private static func isUnchanged(_ executor: CountingExecutor, in bench: ServerBench) async throws -> Bool {
        let before = executor.jobs.withLock(\.self)
        for _ in 0..<100 { _ = try await bench.send("GET", "/healthz") }
        return executor.jobs.withLock(\.self) == before
    }

    @Test func `a file is not read further than its client takes it, and a drain ends the download`() async throws {
        let executor = CountingExecutor()
        var settings = HTTPServerSettings()
        settings.writeLimit = .seconds(600)
        try await MediaBench.run(settings, executor: executor) { bench, media in
            let name = String(repeating: "ef", count: 32) + ".mp4"
            try media.write("", as: "group.default/media/ef/\(name)")
            try #require(truncate("\(media.directory.path)/group.default/media/ef/\(name)", 256 << 20) == 0)
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send("GET /v1/media/group.default/\(name) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                _ = try await connection.read(through: "\r\n\r\n")
                try await wait(for: "the end of the reading") { try await Self.isUnchanged(executor, in: bench) }
                // The buffers of the kernel and of this client take some MiB. All pieces are 16,384.
                #expect(executor.jobs.withLock(\.self) < 4_000)
                await bench.beginShutdown()
                await bench.ended.wait()
            }
        }
    }
}
