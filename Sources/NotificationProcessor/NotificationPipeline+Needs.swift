package import NotificationModel

/// A media item of a request, and the place from which its renditions come.
package struct NeededMedia: Sendable {
    package enum Place: Sendable {
        /// The container has the renditions.
        case container
        /// The HTTP cache has the response.
        case cache
        case origin
    }

    /// The URL as the payload writes it.
    package let url: String
    package let place: Place
    /// The reason why the media item is not fetched; `nil` if it is fetched.
    package let refusal: MediaFailure?
}

/// The media that a request would need. Nothing is fetched.
extension NotificationPipeline {
    /// Returns the media of a request, in the order of its payload. The media of a request that is decided already are
    /// left out.
    package func needs(of request: NotificationRequest) async -> [NeededMedia] {
        let planned = await plan(request)
        guard planned.plan.noMedia == nil else { return [] }
        var needed: [NeededMedia] = []
        for item in planned.plan.media where item.refusal?.reason != .otherProfile {
            needed.append(
                NeededMedia(
                    url: item.reference.shownURL, place: await place(of: item, for: planned),
                    refusal: item.refusal ?? item.fetchRefusal))
        }
        return needed
    }

    private func place(of item: PlannedMedia, for planned: PlannedRequest) async -> NeededMedia.Place {
        let keys = planned.needs.storedKeys(of: item)
        if await store.find(keys, in: planned.request.appGroup, until: planned.needs.until) != nil { return .container }
        for location in item.locations where await !fetcher.wouldDownload(location, for: planned.request.appGroup) {
            return .cache
        }
        return item.reference.isInline ? .cache : .origin
    }
}
