import Base
package import NotificationModel

/// The result of one media item: its attachment, or the reason why it failed.
///
/// The value is in a block of its own, because an attachment takes 1.1 KB, and the frames of a task that waits for media
/// would contain several copies of it. With these copies, 10,000 media items that waited for one image took 702 MiB of
/// private memory instead of 416 MiB (`fetch-bench --only crowd`).
package indirect enum MediaResult: Sendable, Equatable {
    case prepared(NotificationAttachment)
    case failed(MediaFailure)

    package var attachment: NotificationAttachment? {
        if case .prepared(let attachment) = self { attachment } else { nil }
    }
    package var failure: MediaFailure? {
        if case .failed(let failure) = self { failure } else { nil }
    }
}

extension MediaResult {
    /// Returns the attachment of a media item's stored renditions.
    ///
    /// - Parameter failure: The reason why the download has ended, if the renditions show only its first bytes.
    /// - Throws: `internal` if the rendition of the media item itself is missing.
    @inline(never)
    static func of(
        _ item: PlannedMedia, _ media: StoredRenditions, recipe: RenditionRecipe, cache: CacheStatus,
        after failure: MediaFailure? = nil, codingFault: MediaFailure? = nil
    ) throws(MediaFailure) -> MediaResult {
        func asset(_ kind: RenditionKind) -> StoredAsset? { media.assets.first { $0.info.kind == kind } }
        guard let shown = asset(.attachment) else {
            throw MediaFailure(.internal, "there is no rendition of the media item itself")
        }
        var attachment = NotificationAttachment(
            identifier: item.identifier, asset: shown, thumbnail: asset(.thumbnail), poster: asset(.poster),
            options: item.reference.options, sourceURL: item.reference.shownURL,
            sourceByteCount: media.sourceByteCount,
            sourceType: media.sourceType)
        attachment.role = item.reference.role
        attachment.cache = cache
        attachment.recipe = media.reduction == nil ? recipe : nil
        // Other requests share a still, so the failure of this request is added only to its own attachment.
        attachment.reduction = media.reduction.map { part in failure.map(part.after) ?? part }
        attachment.damage = media.damage
        attachment.codingFault = codingFault?.detail
        attachment.source = media.source
        return .prepared(attachment)
    }
}

extension NotificationAttachment {
    /// The record of this attachment in the index of messages.
    var record: MessageRecord.Attachment {
        .init(
            identifier: identifier, shown: asset, others: [thumbnail, poster].compactMap(\.self), url: sourceURL,
            sourceType: sourceType, sourceByteCount: sourceByteCount, recipe: recipe, role: role,
            damage: damage, source: source)
    }
}
