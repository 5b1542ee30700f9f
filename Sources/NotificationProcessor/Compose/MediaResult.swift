import MediaTypes
package import NotificationModel

/// The result of one media item: its attachment, or the reason why it failed.
package typealias MediaResult = Result<NotificationAttachment, MediaFailure>

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
