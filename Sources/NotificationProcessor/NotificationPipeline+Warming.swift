import Base
package import FoundationEssentials
package import NotificationModel

package struct WarmedMediaItem: Sendable {
    /// The URL as the payload writes it.
    package var url: String
    package var result: MediaResult
    package var stages: [Stage]

    package var failure: MediaFailure? { result.failure }
}

/// The preparation of media before the notifications that show them are sent.
extension NotificationPipeline {
    /// Fetches the media of a request and makes their renditions, but emits nothing. Notifications take precedence for
    /// connections and workers.
    ///
    /// - Parameter date: The time until which the renditions are stored, and are used without a request to their
    ///   origin. If the date is `nil`, the renditions are stored as long as other renditions.
    /// - Returns: One element for each media item of the payload, in its order.
    package func warm(_ request: NotificationRequest, keepUntil date: Date?) async -> [WarmedMediaItem] {
        var request = request
        request.isWarming = true
        let planned = await plan(request)
        // A request without media needs no preparation.
        guard planned.plan.noMedia == nil else {
            return planned.plan.media.compactMap { item in
                item.refusal.map { WarmedMediaItem(url: item.reference.shownURL, result: .failed($0), stages: []) }
            }
        }
        async let media: Void = planned.prepareMedia { _ in }
        let endings = await planned.decision()
        await media
        var warmed: [WarmedMediaItem] = []
        for (item, ending) in zip(planned.plan.media, endings.endings) {
            var result = ending ?? .failed(Self.failure(by: endings.cause))
            if let date, let attachment = result.attachment {
                do throws(MediaFailure) { try await pin(attachment, of: item, for: planned, until: date) } catch {
                    result = .failed(error)
                }
            }
            warmed.append(
                WarmedMediaItem(url: item.reference.shownURL, result: result, stages: item.trace.stages(at: clock.now))
            )
        }
        return warmed
    }

    private static func failure(by cause: EmissionStateMachine<MediaResult>.Cause) -> MediaFailure {
        cause == .cancelled
            ? .cancelled : MediaFailure(.budgetExceeded, "the budget ended before the rendition was ready")
    }

    /// Pins the renditions of a media item. Reduced renditions are refused.
    private func pin(
        _ attachment: NotificationAttachment, of item: PlannedMedia, for planned: PlannedRequest, until date: Date
    ) async throws(MediaFailure) {
        guard let key = planned.needs.pin(of: item) else { return }
        if let reduction = attachment.reduction { throw reduction.failure }
        let made = attachment.record
        let media = StoredRenditions(
            assets: made.assets, sourceType: made.sourceType, sourceByteCount: made.sourceByteCount,
            damage: made.damage, source: made.source)
        try await store.pin(media, as: key, in: planned.request.appGroup, until: date)
    }
}
