import Base
import LinuxIO
import NotificationModel
import TestSupport

@testable import AppGroupStore
@testable import HTTPCaching
@testable import StoreTools

/// The two stores of a root, which a purge changes.
struct PurgeBench {
    static let recipe = RenditionRecipe(MediaProfile.ios.attachment, AttachmentOptions())

    let fixture: ResponseCacheFixture
    let cache: ResponseCache
    let store: AppGroupStore

    static func with(_ body: (PurgeBench) async throws -> Void) async throws {
        let fixture = try ResponseCacheFixture()
        let store = try AppGroupStore(root: fixture.directory.path)
        do {
            try await fixture.with { cache in
                try await body(PurgeBench(fixture: fixture, cache: cache, store: store))
            }
            await store.shutdown()
        } catch {
            await store.shutdown()
            throw error
        }
    }

    func rendition(_ text: String) throws -> Rendition {
        let info = RenditionInfo(
            kind: .attachment, type: .jpeg, byteCount: text.utf8.count, width: 4, height: 3)
        return Rendition(info: info, file: try fixture.file(text))
    }

    /// Purges a target as the daemon does, with a simple function for the canonical URL.
    func purge(_ target: PurgeTarget) async throws -> PurgeReport {
        try await CachePurge(cache: cache, store: store) { url in
            String(url.prefix { $0 != "#" }).replacing("HTTPS://A.example", with: "https://a.example")
        }.purge(target)
    }

    func exists(_ asset: StoredAsset) -> Bool {
        FileSystem.size(of: "\(fixture.directory.path)/group.default/\(asset.path)") != nil
    }
}
