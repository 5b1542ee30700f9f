package import NotificationModel

/// The filter for the media items that a profile shows: those for its own platform, in the roles that the platform has.
package enum ProfileFilter {
    /// The reason why a thumbnail is not shown if its attachment is shown.
    static let attachmentIsThere = MediaFailure(
        .otherProfile, "the attachment is there, and the thumbnail is made from it")

    /// Returns the reason why the profile does not show a media item; `nil` if it does. The reason is `other-profile`.
    ///
    /// An item for the profile's own platform takes precedence over an item of the same role for any platform.
    ///
    /// - Parameter index: The index of the media item in the references.
    /// - Parameter references: All media of the payload, in its order. Unprocessed items have no effect.
    package static func refusal(
        of index: Int, among references: [MediaReference], profile: MediaProfile
    ) -> MediaFailure? {
        let reference = references[index]
        let others = references.prefix(MediaPlan.maxMedia)
        if let refusal = platformRefusal(of: reference, among: others, profile: profile) { return refusal }
        return reference.role == .thumbnail || profile.roles.contains(reference.role)
            ? nil : MediaFailure(.otherProfile, "the profile \(profile.name) shows no \(reference.role.rawValue)")
    }

    /// Returns whether a media item is a thumbnail of the payload beside an attachment. The attachment has its own.
    package static func isFallback(_ index: Int, among references: [MediaReference], profile: MediaProfile) -> Bool {
        let others = references.prefix(MediaPlan.maxMedia)
        return references[index].role == .thumbnail
            && others.contains {
                $0.role == .attachment && platformRefusal(of: $0, among: others, profile: profile) == nil
            }
    }

    /// Returns the reason why the profile does not show an item for another platform. The profile `original` is for any
    /// platform, and shows the items for each platform.
    private static func platformRefusal(
        of reference: MediaReference, among references: ArraySlice<MediaReference>, profile: MediaProfile
    ) -> MediaFailure? {
        let own = profile.platform
        guard let platform = reference.platform, platform != own, own != .any else { return nil }
        guard platform == .any else {
            return MediaFailure(
                .otherProfile,
                "the item is for \(platform.rawValue), and the profile \(profile.name) is for \(own.rawValue)")
        }
        let hasOwn = references.contains { $0.platform == own && $0.role == reference.role }
        guard hasOwn else { return nil }
        return MediaFailure(
            .otherProfile,
            "the payload has its own \(reference.role.rawValue) for \(own.rawValue), which takes precedence")
    }
}
