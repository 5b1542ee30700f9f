import CommandSupport
import Composition
import FoundationEssentials
import Glibc
import LinuxIO
import MediaFetcher
import MediaHeaders
import NotificationModel
import NotificationProcessor
import PayloadLint
import Primitives
import ServiceConfiguration

/// A trial that fetches media into temporary files without names, to examine their first bytes.
struct MediaTrial {
    /// The maximum number of fetches at a time. This number shortens the wait of the user without a high load on the
    /// origins.
    private static let mostInFlight = 16

    private let directory: String

    /// Returns the results of fetching, by the URL in the payload. Each media item has the time budget of the
    /// configuration.
    static func facts(
        _ media: [LintMediaItem], at locator: MediaURLResolver, _ configuration: Configuration
    ) async throws(CommandFailure) -> [String: MediaFact] {
        if media.isEmpty { return [:] }
        let fetcher: HTTPMediaFetcher
        do throws(MediaFailure) {
            fetcher = try HTTPMediaFetcher(
                policy: FetchPolicy(configuration), userAgent: "appgroupd/\(Installation.version)")
        } catch {
            throw CommandFailure(.failed, error.detail)
        }
        let trial = MediaTrial(directory: FileManager.default.temporaryDirectory.path)
        var facts: [String: MediaFact] = [:]
        await withTaskGroup(of: (String, MediaFact).self) { group in
            for (index, item) in media.enumerated() {
                if index >= mostInFlight, let (url, fact) = await group.next() { facts[url] = fact }
                group.addTask {
                    switch locator.locations(of: item.reference, dialect: item.dialect) {
                    case .failure(let failure): (item.reference.url, .failed(failure))
                    case .success(let locations):
                        (item.reference.url, await trial.fact(at: locations, fetcher, budget: configuration.budget))
                    }
                }
            }
            for await (url, fact) in group { facts[url] = fact }
        }
        await fetcher.shutdown()
        return facts
    }

    private func fact(
        at locations: [String], _ fetcher: HTTPMediaFetcher, budget: Duration
    ) async -> MediaFact {
        let deadline = MonotonicInstant.now.advanced(by: budget)
        var failure: MediaFailure?
        // A Matrix reference has two candidate URLs. The failure of the first URL explains more than the failure of the
        // second URL.
        for location in locations {
            do throws(MediaFailure) {
                let request = FetchRequest(
                    url: location, deadline: deadline, trace: StageTrace(),
                    makeFile: { () throws(MediaFailure) in try file() })
                return fact(of: try await fetcher.fetch(request).get())
            } catch {
                failure = failure ?? error
            }
        }
        return .failed(failure ?? MediaFailure(.invalidURL, "there is no URL to fetch the media item from"))
    }

    private func file() throws(MediaFailure) -> MediaFile {
        do throws(SystemError) { return try AnonymousFile.create(in: directory) } catch {
            throw MediaFailure(.storageFailed, "no file can be created in \(directory): \(error)")
        }
    }

    private func fact(of media: FetchedMedia) -> MediaFact {
        var head = [UInt8](repeating: 0, count: MediaSignature.wantedBytes)
        let count = max(0, pread(media.file.descriptor, &head, head.count, 0))
        head.removeLast(head.count - count)
        return .fetched(
            byteCount: media.byteCount, format: MediaSignature.of(head.span),
            declaredType: media.declaredType)
    }
}
