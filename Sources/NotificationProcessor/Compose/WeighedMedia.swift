import NotificationModel

/// How the media of a notification decide about its outcome.
///
/// Attachments count, and thumbnails that are shown in place of one. Icons, badges and thumbnails do not count unless the
/// payload has no attachment, and masks do not unless it has nothing else. A message that is one of its media is not shown
/// without it, whatever else is there; a silent push shows nothing, and is worth what it has brought.
struct WeighedMedia {
    /// The notification shows what it is about.
    let isAnyShown: Bool
    /// Why it is not all that was asked for; `nil`: it is.
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
        // Media of another platform's profile are not missing here.
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
    /// Why it is not what was asked for. A smaller picture is; a still in the place of what moves, and a part, are not.
    fileprivate var shortfall: DegradationReason? {
        switch self {
        case .success(let attachment):
            attachment.reduction.flatMap { [.still, .part].contains($0.kind) ? $0.reason : nil }
        case .failure(let failure): failure.reason
        }
    }
}

extension Result where Failure == MediaFailure {
    var failure: MediaFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
