import Base
import Lab
import LinuxIO
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of `willDownload`, which is called before each download.
@Suite(.timeLimit(.minutes(1))) struct DownloadPermitTests {
    private static let refusal = MediaFailure(.overloaded, "no time")
    private let asked = Count()

    private func fetch(
        _ path: String, in fixture: OriginFixture, refusing: Bool
    ) async -> Result<FetchedMedia, MediaFailure> {
        await fixture.fetcher.fetch(
            FetchRequest(
                url: fixture.origin.baseURL + path, deadline: .now + .seconds(20), trace: StageTrace(),
                willDownload: { [asked] () throws(MediaFailure) in
                    asked.add()
                    if refusing { throw Self.refusal }
                },
                makeFile: { () throws(MediaFailure) in
                    do { return try AnonymousFile.create(in: "/tmp") } catch {
                        throw MediaFailure(.storageFailed, "no file: \(error)")
                    }
                }))
    }

    @Test(arguments: [true, false])
    func `a refused download sends no request to its origin`(isCached: Bool) async throws {
        try await OriginFixture.with(store: isCached ? MemoryResponseStore() : nil) { fixture in
            let result = await fetch("/photo-small.jpg", in: fixture, refusing: true)
            #expect(result.failure == Self.refusal)
            #expect(fixture.origin.counts.requests == 0)
            // The refusal is not cached.
            #expect(await fetch("/photo-small.jpg", in: fixture, refusing: false).failure == nil)
            #expect(asked.value == 2)
        }
    }

    @Test(arguments: ["/photo-small.jpg", "/header/Cache-Control:no-cache/photo-small.jpg"])
    func `a stored media item is used and validated without a download permit`(_ path: String) async throws {
        try await OriginFixture.with(store: MemoryResponseStore()) { fixture in
            #expect(await fetch(path, in: fixture, refusing: false).failure == nil)
            #expect(await fetch(path, in: fixture, refusing: true).failure == nil)
            #expect(asked.value == 1)
        }
    }
}

private final class Count: Sendable {
    private let count = Guarded(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}

extension Result where Failure == MediaFailure {
    fileprivate var failure: MediaFailure? { if case .failure(let failure) = self { failure } else { nil } }
}
