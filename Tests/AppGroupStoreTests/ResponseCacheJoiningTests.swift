import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import HTTPCaching

/// Tests that parts of a body which were received at different times become one file.
@Suite(.timeLimit(.minutes(1)))
struct ResponseCacheJoiningTests {
    @Test func `the cache joins the ranges of several files in their order, and stores the result`() async throws {
        let fixture = try ResponseCacheFixture()
        try await fixture.with { cache in
            let first = try fixture.file("--begin--")
            let second = try fixture.file("..and end")
            let joined = try #require(
                await cache.joined([
                    ResponseBody(file: first, bytes: 2..<7), .empty, ResponseBody(file: second, bytes: 2..<9),
                    ResponseBody(file: first, bytes: 7..<9),
                ]))
            let text = "beginand end--"
            let response = ResponseCacheFixture.response("joined", byteCount: text.utf8.count)
            await cache.insert(response, body: joined, since: 0)
            #expect(await cache.text(of: response) == text)
            #expect(fixture.bodies().count == 1)
        }
        #expect(fixture.warnings.isEmpty)
    }

    @Test func `a joined file of many pieces has the bytes of all pieces`() async throws {
        let fixture = try ResponseCacheFixture()
        try await fixture.with { cache in
            let text = String((0..<700_000).map { Character(Unicode.Scalar(UInt8(97 + $0 % 23))) })
            let file = try fixture.file(text)
            let joined = try #require(
                await cache.joined([
                    ResponseBody(file: file, bytes: 1..<600_000), ResponseBody(file: file, bytes: 600_000..<700_000),
                ]))
            let count = try FileSystem.size(of: joined)
            #expect(count == 699_999)
            let bytes = try FileSystem.bytes(of: joined, at: 0, count: count)
            #expect(bytes == Array(text.utf8.dropFirst()))
        }
    }

    @Test func `the cache joins no ranges if a file is shorter than its range`() async throws {
        let fixture = try ResponseCacheFixture()
        try await fixture.with { cache in
            let file = try fixture.file("short")
            #expect(await cache.joined([ResponseBody(file: file, bytes: 0..<6)]) == nil)
        }
        #expect(fixture.warnings.isEmpty, "a short file is not reported")
    }

    @Test func `a joined file that cannot be created is reported, and no ranges are joined`() async throws {
        let fixture = try ResponseCacheFixture()
        let file = try fixture.file("bytes")
        try FileSystem.write(Array("in the way".utf8), toFile: fixture.cacheDirectory)
        try await fixture.with { cache in
            #expect(await cache.joined([ResponseBody(file: file, bytes: 0..<5)]) == nil)
        }
        #expect(fixture.warnings.count == 1)
        #expect(fixture.warnings.first?.contains("cannot be joined") == true)
    }
}
