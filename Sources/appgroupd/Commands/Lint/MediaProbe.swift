import Base
import FeatureKit
import FoundationEssentials
import LinuxIO
import MediaFetcher
import MediaHeaders
import NotificationModel
import NotificationProcessor
import PayloadLint
import ServiceConfiguration

/// A probe that fetches media into temporary files without names, to examine their first bytes.
enum MediaProbe {
    /// The maximum number of fetches at a time, which is no high load for an origin.
    private static let maxInFlight = 16

    /// Returns the results of fetching, by the URL in the payload. Each media item has the configured time budget.
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
        var facts: [String: MediaFact] = [:]
        await withTaskGroup(of: (String, MediaFact).self) { group in
            for (index, item) in media.enumerated() {
                if index >= maxInFlight, let (url, fact) = await group.next() { facts[url] = fact }
                group.addTask {
                    switch locator.locations(of: item.reference, dialect: item.dialect) {
                    case .failure(let failure): (item.reference.url, .failed(failure))
                    case .success(let locations):
                        (item.reference.url, await fact(at: locations, fetcher, budget: configuration.budget))
                    }
                }
            }
            for await (url, fact) in group { facts[url] = fact }
        }
        await fetcher.shutdown()
        return facts
    }

    private static func fact(at locations: [String], _ fetcher: HTTPMediaFetcher, budget: Duration) async -> MediaFact {
        let deadline = MonotonicInstant.now.advanced(by: budget)
        var failure: MediaFailure?
        // A Matrix reference has two candidate URLs. The failure of the first URL explains more.
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

    private static func file() throws(MediaFailure) -> MediaFile {
        let directory = FileManager.default.temporaryDirectory.path
        do throws(SystemError) { return try AnonymousFile.create(in: directory) } catch {
            throw MediaFailure(.storageFailed, "no file can be created in \(directory): \(error)")
        }
    }

    private static func fact(of media: FetchedMedia) -> MediaFact {
        let head = (try? FileSystem.bytes(of: media.file, at: 0, count: MediaSignature.wantedBytes)) ?? []
        let format = MediaSignature.of(head.span)
        return .fetched(byteCount: media.byteCount, format: format, declaredType: media.declaredType)
    }
}
