import NotificationModel

/// The effect of a notification's media items on its outcome.
///
/// Attachments and thumbnails that are shown instead of an attachment affect the outcome. Icons, badges and other
/// thumbnails affect it only if the payload has no attachment. Masks affect it only if the payload has no other media
/// item. A message that needs one of its media items is not shown without it. A silent push shows nothing, and
/// therefore requires none of its media items.
struct WeighedMedia {
    /// Whether the notification shows its subject.
    let isAnyShown: Bool
    /// The reason why a requested media item is missing; `nil` if no media item is missing.
    let missing: DegradationReason?

    init(_ media: [PlannedMedia], _ endings: [MediaResult], isSilent: Bool) {
        let counted = Self.counted(media, endings)
        let required = zip(media, endings).first { $0.reference.isRequired && $1.failure != nil }
        if !isSilent, let failure = required?.1.failure {
            isAnyShown = false
            missing = failure.reason
            return
        }
        isAnyShown = counted.contains { $0.failure == nil }
        let reasons = counted.compactMap(\.shortfall)
        // Media items for another platform's profile are not missing here.
        missing = reasons.first { $0 != .otherProfile } ?? (isAnyShown ? nil : reasons.first)
    }

    private static func counted(_ media: [PlannedMedia], _ endings: [MediaResult]) -> [MediaResult] {
        func counted(_ counts: (MediaRole) -> Bool) -> [MediaResult] {
            zip(media, endings).filter { counts($0.0.reference.role) }.map(\.1)
        }
        let attachments = counted { $0 == .attachment }
        guard attachments.isEmpty else {
            return attachments + counted { $0 == .thumbnail }.filter { $0.failure == nil }
        }
        let others = counted { $0 != .mask }
        return others.isEmpty ? endings : others
    }
}

extension MediaResult {
    /// The reason why the result is less than the request asks for; `nil` if it is not less. A smaller image is
    /// sufficient, but not a still of a video, of an animation or of the first bytes.
    fileprivate var shortfall: DegradationReason? {
        switch self {
        case .prepared(let attachment):
            attachment.reduction.flatMap { [.still, .part].contains($0.kind) ? $0.reason : nil }
        case .failed(let failure): failure.reason
        }
    }
}
