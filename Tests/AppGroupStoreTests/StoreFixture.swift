import Base
import Foundation
import LinuxIO
import NotificationModel
import TestSupport

@testable import AppGroupStore

/// A store in a separate directory.
struct StoreFixture {
    static let group = AppGroupName.default

    let store: AppGroupStore
    let directory: TemporaryDirectory

    var groupDirectory: String { directory.path + "/\(Self.group)" }

    static func with<Result>(_ body: (StoreFixture) async throws -> Result) async throws -> Result {
        let directory = try TemporaryDirectory()
        let store = try AppGroupStore(root: directory.path)
        do {
            let result = try await body(StoreFixture(store: store, directory: directory))
            await store.shutdown()
            return result
        } catch {
            await store.shutdown()
            throw error
        }
    }

    /// Returns a rendition with the bytes of a text.
    func rendition(_ text: String, type: MediaFormat = .jpeg) async throws -> Rendition {
        let file = try store.scratchFile(for: .download, in: Self.group)
        try FileSystem.write(Array(text.utf8)[...], to: file.descriptor)
        let info = RenditionInfo(kind: .attachment, type: type, byteCount: text.utf8.count, width: 4, height: 3)
        return Rendition(info: info, file: file)
    }

    /// Stores the bytes of a text.
    ///
    /// - Parameter date: The end of the lease, by default a date in the past.
    @discardableResult
    func keep(
        _ text: String, in group: AppGroupName = Self.group, until date: Date = .distantPast
    ) async throws -> StoredAsset {
        try await store.store([try await rendition(text)], in: group, until: date)[0]
    }

    /// Returns the texts in the container of a group, in alphabetical order.
    func kept(in group: AppGroupName = Self.group) throws -> [String] {
        try directory.files().filter { $0.hasPrefix("\(group)/media/") }
            .map { try String(contentsOfFile: "\(directory.path)/\($0)", encoding: .utf8) }.sorted()
    }

    /// Returns a message that shows each file as a separate attachment.
    static func message(_ id: RequestID, providerID: String? = nil, _ assets: [StoredAsset]) -> MessageRecord {
        MessageRecord(
            id: id, providerID: providerID, profile: "ios",
            attachments: assets.enumerated().map { index, asset in
                .init(
                    identifier: "media-\(index + 1)", shown: asset, url: "https://a.example/\(index)",
                    sourceType: "image/jpeg", sourceByteCount: 7,
                    recipe: RenditionRecipe(MediaProfile.ios.attachment, AttachmentOptions()))
            })
    }
}
