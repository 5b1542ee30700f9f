import MediaTypes
package import NotificationModel

/// The result of one media item: its attachment, or the reason why it failed.
///
/// The value is in a block of its own, because an attachment takes 1.1 KB, and the frames of a task that waits for media
/// would contain several copies of it. With these copies, 10,000 waiting media items took 702 MiB of private memory.
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

extension NotificationAttachment {
    /// Creates the attachment from a media item's stored renditions.
    ///
    /// - Throws: `internal` if the rendition of the media item itself is missing.
    @inline(never)
    init(
        _ item: PlannedMedia, _ media: StoredRenditions, recipe: RenditionRecipe, cache: CacheStatus
    ) throws(MediaFailure) {
        func asset(_ kind: RenditionKind) -> StoredAsset? { media.assets.first { $0.info.kind == kind } }
        guard let shown = asset(.attachment) else {
            throw MediaFailure(.internal, "there is no rendition of the media item itself")
        }
        self.init(
            identifier: item.identifier, asset: shown, thumbnail: asset(.thumbnail), poster: asset(.poster),
            options: item.reference.options, sourceURL: item.reference.shownURL,
            sourceByteCount: media.sourceByteCount,
            sourceType: media.sourceType)
        role = item.reference.role
        self.cache = cache
        self.recipe = media.reduction == nil ? recipe : nil
        reduction = media.reduction
        damage = media.damage
        source = media.source
    }

    /// The record of this attachment in the index of messages.
    var record: MessageRecord.Attachment {
        .init(
            identifier: identifier, shown: asset, others: [thumbnail, poster].compactMap(\.self), url: sourceURL,
            sourceType: sourceType, sourceByteCount: sourceByteCount, recipe: recipe, role: role,
            damage: damage, source: source)
    }
}
