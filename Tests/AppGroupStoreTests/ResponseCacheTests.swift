import Foundation
import Glibc
import HTTPTypes
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import HTTPCaching

@Suite(.timeLimit(.minutes(1))) struct ResponseCacheTests {
    private let fixture: ResponseCacheFixture
    private let key = "https://a.example/1"

    init() throws { fixture = try ResponseCacheFixture() }

    @Test func `a lookup returns a stored response unchanged, both at once and after a restart`() async throws {
        let stored = try await fixture.with { cache in
            let stored = try await fixture.store("bytes", "one", in: cache)
            #expect(await cache.responses(for: key) == [stored])
            #expect(await cache.text(of: stored) == "bytes")
            #expect(await cache.responses(for: "https://a.example/2") == [])
            return stored
        }
        try await fixture.with { cache in
            #expect(await cache.responses(for: key) == [stored])
            #expect(await cache.text(of: stored) == "bytes")
        }
        #expect(fixture.warnings.isEmpty)
    }

    @Test func `a body is read-only, and an open body is readable after its removal`() async throws {
        try await fixture.with { cache in
            let stored = try await fixture.store("bytes", "one", in: cache)
            let body = try #require(await cache.body(of: stored))
            #expect(write(body.descriptor, "x", 1) == -1 && errno == EBADF)
            await cache.remove(["one"])
            #expect(await cache.statistics().entries == 0)
            #expect(fixture.bodies().isEmpty)
            #expect(try FileSystem.bytes(of: body, at: 0, count: 9) == Array("bytes".utf8))
        }
    }

    @Test func `no other user can read the files of the cache`() async throws {
        func mode(_ path: String) throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        }
        try await fixture.with { cache in
            try await fixture.store("bytes", "one", in: cache)
            #expect(await cache.statistics().entries == 1)
            #expect(try mode(fixture.cacheDirectory) == 0o700)
            let files = try fixture.directory.files()
            #expect(files.count == 4)
            for file in files { #expect(try mode("\(fixture.directory.path)/\(file)") == 0o600, "\(file)") }
        }
    }

    @Test func `responses that are stored in quick succession share transactions`() async throws {
        try await fixture.with { cache in
            for number in 0..<40 { try await fixture.store("bytes", "\(number)", for: "\(number)", in: cache) }
            #expect(await cache.statistics().entries == 40)
            #expect(await cache.transactions < 20)
        }
    }

    @Test func `a lookup returns the newest of several responses under one key first`() async throws {
        let expected = ["c", "b", "a"]
        try await fixture.with { cache in
            #expect(await cache.ids() == [])
            try await fixture.store("1", "a", at: 1, in: cache)
            try await fixture.store("3", "c", at: 3, in: cache)
            try await fixture.store("2", "b", at: 2, in: cache)
            #expect(await cache.ids() == expected)
        }
        try await fixture.with { #expect(await $0.ids() == expected) }
    }

    @Test func `a response with the same id replaces the earlier response and its body`() async throws {
        try await fixture.with { cache in
            try await fixture.store("first", "one", in: cache)
            let second = try await fixture.store("the second", "one", at: 1, in: cache)
            #expect(await cache.responses(for: key) == [second])
            #expect(await cache.text(of: second) == "the second")
            #expect(await cache.statistics().entries == 1)
            #expect(fixture.bodies().count == 1)
        }
        try await fixture.with { cache in
            let found = try #require(await cache.responses(for: key).first)
            #expect(await cache.text(of: found) == "the second")
        }
    }

    @Test(arguments: [true, false])
    func `an update of the headers does not change the body of a response`(isRemembered: Bool) async throws {
        let changed = try await fixture.with { cache in
            if isRemembered { #expect(await cache.ids() == []) }
            var response = try await fixture.store("bytes", "one", in: cache)
            try await fixture.store("other", "two", at: 5, in: cache)
            response.head.fields[.age] = "7"
            response.responseTime += 10
            await cache.update(response)
            #expect(await cache.responses(for: key).first == response)
            #expect(await cache.ids() == ["one", "two"])
            #expect(await cache.text(of: response) == "bytes")
            return response
        }
        try await fixture.with { cache in
            #expect(await cache.responses(for: key).first == changed)
            #expect(await cache.text(of: changed) == "bytes")
        }
    }

    @Test func `an update of a response that is not stored stores nothing`() async throws {
        try await fixture.with { cache in
            await cache.update(ResponseCacheFixture.response("one", byteCount: 5))
            #expect(await cache.ids() == [])
            #expect(await cache.statistics().entries == 0)
        }
    }

    @Test(arguments: [true, false])
    func `a removed response is missing at once, and its file is removed`(isByKey: Bool) async throws {
        try await fixture.with { cache in
            try await fixture.store("1", "one", in: cache)
            try await fixture.store("2", "two", in: cache)
            try await fixture.store("3", "other", for: "https://a.example/2", in: cache)
            #expect(await cache.ids().count == 2)
            if isByKey { await cache.removeAll(for: key) } else { await cache.remove(["one", "two", "none"]) }
            #expect(await cache.ids() == [])
            #expect(await cache.ids(for: "https://a.example/2") == ["other"])
            #expect(await cache.statistics().entries == 1)
            #expect(fixture.bodies().count == 1)
        }
        try await fixture.with { #expect(await $0.ids() == []) }
    }

    @Test func `a response without bytes is stored without a file`() async throws {
        let response = ResponseCacheFixture.response("one", byteCount: 0)
        try await fixture.with { cache in
            await cache.insert(response, body: nil, since: 0)
            #expect(await cache.responses(for: key) == [response])
            #expect(await cache.body(of: response) == nil)
            #expect(await cache.responses(for: key) == [response])
            #expect(fixture.bodies().isEmpty)
        }
    }

    @Test func `a partial response keeps its range`() async throws {
        var part = ResponseCacheFixture.response("one", byteCount: 5)
        part.storedBytes = 100..<105
        part.completeLength = 400
        try await fixture.with { [part] cache in
            await cache.insert(part, body: try fixture.file("bytes"), since: 0)
        }
        try await fixture.with { [part] cache in
            #expect(await cache.responses(for: key) == [part])
            #expect(await cache.text(of: part) == "bytes")
        }
    }

    @Test(arguments: ["four", "longer", nil])
    func `a body whose length differs from its Content-Length is not stored, and is reported once`(text: String?)
        async throws
    {
        try await fixture.with { cache in
            for id in ["one", "two"] {
                await cache.insert(
                    ResponseCacheFixture.response(id, byteCount: 5), body: try text.map { try fixture.file($0) },
                    since: 0)
            }
            #expect(await cache.ids() == [])
            #expect(await cache.statistics().refused == 2)
        }
        #expect(fixture.warnings.count == 1)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/shm")))
    func `the cache copies the bytes of a body that is on another file system`() async throws {
        try await fixture.with { cache in
            let text = String(repeating: "x", count: 600_000)
            let response = ResponseCacheFixture.response("one", byteCount: text.utf8.count)
            await cache.insert(response, body: try fixture.file(text, in: "/dev/shm"), since: 0)
            let isCopied = await cache.text(of: response) == text
            #expect(isCopied)
            let unlinkable = try fixture.file("bytes")
            let file = MediaFile(descriptor: dup(unlinkable.descriptor))
            let other = ResponseCacheFixture.response("two", byteCount: 5)
            await cache.insert(other, body: file, since: 0)
            #expect(await cache.text(of: other) == "bytes")
        }
        #expect(fixture.warnings.isEmpty)
    }

    @Test func `clearing the cache leaves no row and no file`() async throws {
        try await fixture.with { cache in
            for number in 0..<5 { try await fixture.store("x", "\(number)", for: "key \(number)", in: cache) }
            #expect(await cache.ids(for: "key 1") == ["1"])
            await cache.clear()
            #expect(await cache.ids(for: "key 1") == [])
            #expect(await cache.statistics().entries == 0)
            #expect(await cache.statistics().bytes == 0)
            #expect(fixture.bodies().isEmpty)
            try await fixture.store("y", "6", in: cache)
            #expect(await cache.ids() == ["6"])
        }
    }

    @Test func `a closed cache leaves no open descriptor`() async throws {
        let name = try #require(fixture.directory.path.split(separator: "/").last)
        func descriptors() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }.filter { $0.contains(name) }
        }
        try await fixture.with { cache in
            let stored = try await fixture.store("bytes", "one", in: cache)
            #expect(await cache.text(of: stored) == "bytes")
            #expect(try descriptors().isEmpty == false)
        }
        #expect(try descriptors().isEmpty)
        #expect(try fixture.directory.files().count == 2, "the index and a body")
    }
}
