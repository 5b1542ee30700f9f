package import NotificationModel

/// How one medium ended.
package typealias MediaEnding = Result<NotificationAttachment, MediaFailure>

extension NotificationAttachment {
    /// The attachment that a medium's stored renditions make.
    ///
    /// - Throws: `internal` when the one that is shown is missing.
    init(
        _ medium: PlannedMedia, byteCount: Int, type: String, assets: [StoredAsset]
    ) throws(MediaFailure) {
        func asset(_ kind: RenditionKind) -> StoredAsset? { assets.first { $0.info.kind == kind } }
        guard let shown = asset(.attachment) else { throw MediaFailure(.internal, "no rendition of the medium itself") }
        self.init(
            identifier: medium.identifier, asset: shown, thumbnail: asset(.thumbnail), poster: asset(.poster),
            options: medium.reference.options, sourceURL: medium.reference.url, sourceByteCount: byteCount,
            sourceType: type)
        role = medium.reference.role
    }

    /// The attachment of what another push has brought already.
    init(_ medium: PlannedMedia, _ kept: KeptMedia) throws(MediaFailure) {
        try self.init(medium, byteCount: kept.sourceByteCount, type: kept.sourceType, assets: kept.assets)
        cache = .hit
    }

    /// What the index keeps of it.
    var record: MessageRecord.Attachment {
        .init(
            identifier: identifier, shown: asset, others: [thumbnail, poster].compactMap(\.self), url: sourceURL,
            sourceType: sourceType, sourceByteCount: sourceByteCount)
    }
}
