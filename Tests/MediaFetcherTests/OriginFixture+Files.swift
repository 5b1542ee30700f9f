import Base
import Lab
import LinuxIO
import MediaFetcher
import NotificationModel
import TestSupport

extension OriginFixture {
    /// Fetches a path of the origin into counted files.
    func fetch(
        _ path: String, into files: CountedFiles, within budget: Duration = .seconds(20),
        trace: StageTrace = StageTrace(), progress: FetchProgress? = nil
    ) async -> Result<FetchedMedia, MediaFailure> {
        await fetch(
            url: origin.baseURL + path, into: files, within: budget, trace: trace, progress: progress)
    }

    func fetch(
        url: String, into files: CountedFiles, within budget: Duration = .seconds(20),
        trace: StageTrace = StageTrace(), progress: FetchProgress? = nil
    ) async -> Result<FetchedMedia, MediaFailure> {
        await fetcher.fetch(
            FetchRequest(url: url, deadline: .now.advanced(by: budget), trace: trace, progress: progress) {
                () throws(MediaFailure) in try files.make()
            })
    }
}

extension FetchedMedia {
    /// All bytes of the file, which may be more than `byteCount`.
    var bytes: [UInt8] {
        get throws { try FileSystem.bytes(of: file, at: 0, count: max(byteCount, try FileSystem.size(of: file))) }
    }
}

extension Sequence<StageTrace> {
    /// Returns when each of the fetches has entered its first stage.
    func waitUntilUnderWay() async throws {
        for trace in self { try await wait(for: "the fetch's first stage") { !trace.stages().isEmpty } }
    }
}
