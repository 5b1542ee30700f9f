import AppGroupStore
import LinuxIO
import NotificationModel
import TestSupport

/// A store in a folder of its own.
struct StoreFixture {
    static let group = AppGroupName.default

    let store: AppGroupStore
    let folder: TemporaryFolder

    var groupFolder: String { folder.path + "/\(Self.group)" }

    static func with<Result>(_ body: (StoreFixture) async throws -> Result) async throws -> Result {
        let folder = try TemporaryFolder()
        let store = try AppGroupStore(root: folder.path)
        do {
            let result = try await body(StoreFixture(store: store, folder: folder))
            await store.shutdown()
            return result
        } catch {
            await store.shutdown()
            throw error
        }
    }

    /// A rendition with the bytes of a text.
    func rendition(_ text: String, type: RenditionType = .jpeg) async throws -> Rendition {
        let file = try await store.scratchFile(in: Self.group)
        try FileSystem.write(Array(text.utf8)[...], to: file.descriptor)
        let info = RenditionInfo(kind: .attachment, type: type, byteCount: text.utf8.count, width: 4, height: 3)
        return Rendition(info: info, file: file)
    }
}
