import Authentication
import Base
import FeatureKit
import FoundationEssentials
import LinuxIO
import MediaFetcher
import NotificationModel
import ServiceConfiguration

/// A probe that fetches one rendition through `publicURL`, like a phone, and compares the rendition with the file.
struct PublicURLProbe {
    private static let patience: Duration = .seconds(5)
    /// The maximum number of names in the root that are searched for an app group.
    private static let maxNames = 1_000

    private let root: String
    private let publicURL: String
    private let urls: MediaURLs
    private let caFile: String?
    private let proxy: EgressProxy?
    private let port: UInt16

    /// - Returns: `nil` if no `publicURL` is configured.
    init?(_ configuration: Configuration) {
        guard let url = configuration.publicURL, let urls = MediaURLs(configuration) else { return nil }
        (root, publicURL, caFile) = (configuration.root, url.description, configuration.fetch.caFile)
        self.urls = urls
        proxy = FetchPolicy(configuration).proxy
        port = url.effectivePort
    }

    func look() async -> Answer {
        guard let (group, file) = rendition else { return .ok("\(publicURL): not tried, as there is no rendition yet") }
        let path = "\(root)/\(group)/media/\(file.prefix(2))/\(file)"
        let url = urls.url(of: file, in: group, until: nil)
        let remedy =
            "Pass \(publicURL)/v1/media/GROUP/FILE on to the daemon with its query (docs/operate/serving-renditions.md)."
        do throws(MediaFailure) {
            let now = Date()
            let end = urls.end(ofMessageUntil: now.addingTimeInterval(60), at: now)
            let bytes = try await fetched(urls.url(of: file, in: group, until: end))
            guard let stored = try? FileSystem.contents(of: path) else { return .ok("\(url): \(bytes.count) bytes") }
            if stored == bytes { return .ok("\(url): the rendition, \(bytes.count) bytes") }
            let found = "\(url) returns \(bytes.count) bytes that differ from \(path) (\(stored.count) bytes)"
            return .failed(found, remedy: remedy)
        } catch {
            return .failed("\(url): \(error.reason.rawValue): \(error.detail)", remedy: remedy)
        }
    }

    private func fetched(_ url: String) async throws(MediaFailure) -> [UInt8] {
        var policy = FetchPolicy()
        // The operator has configured this host, so all its addresses are permitted.
        policy.addresses = AddressPolicy(allowed: ["0.0.0.0/0", "::/0"].compactMap { AddressRange($0) })
        policy.addresses.ports.insert(port)
        (policy.caFile, policy.proxy) = (caFile, proxy)
        policy.limits.circuitBreaker = false
        let fetcher = try HTTPMediaFetcher(policy: policy, userAgent: "appgroupd/\(Installation.version) doctor")
        let request = FetchRequest(url: url, deadline: .now + Self.patience, trace: StageTrace()) {
            () throws(MediaFailure) in
            do throws(SystemError) {
                return try AnonymousFile.create(in: FileManager.default.temporaryDirectory.path)
            } catch {
                throw MediaFailure(.storageFailed, "there is no temporary file: \(error.reason)")
            }
        }
        let result = await fetcher.fetch(request)
        await fetcher.shutdown()
        let media = try result.get()
        guard let bytes = try? FileSystem.bytes(of: media.file, at: 0, count: media.byteCount) else {
            throw MediaFailure(.storageFailed, "the temporary file cannot be read")
        }
        return bytes
    }

    /// The name of an app group and the name of one of its renditions; `nil` if no group has a rendition.
    private var rendition: (group: AppGroupName, file: String)? {
        let names = ((try? FileSystem.names(in: root)) ?? []).sorted().prefix(Self.maxNames)
        for group in names.compactMap({ AppGroupName($0) }) {
            for shard in (try? FileSystem.names(in: "\(root)/\(group)/media")) ?? [] where shard.count == 2 {
                let files = (try? FileSystem.names(in: "\(root)/\(group)/media/\(shard)")) ?? []
                // The name of a rendition is a digest with the extension of its type.
                if let file = files.first(where: { $0.hasPrefix(shard) && $0.contains(".") }) { return (group, file) }
            }
        }
        return nil
    }
}
