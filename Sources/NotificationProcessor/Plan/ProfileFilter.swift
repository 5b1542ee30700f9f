package import NotificationModel

/// Which media of a payload a profile shows: those for its own platform, in the roles that the platform has.
package enum ProfileFilter {
    /// The reason why a thumbnail is not shown that stands in for an attachment.
    static let attachmentIsThere = MediaFailure(
        .otherProfile, "the attachment is there, and the thumbnail is made from it")

    /// The reason why the profile does not show a media item; `nil` if it does.
    ///
    /// A medium for any platform gives way to one of the same role for the profile's own.
    ///
    /// - Parameters:
    ///   - index: into the references.
    ///   - references: all media of the payload, in its order. Those after the most that are taken decide about none.
    /// - Returns: `other-profile`.
    package static func refusal(
        of index: Int, among references: [MediaReference], profile: MediaProfile
    ) -> MediaFailure? {
        let reference = references[index]
        let others = references.prefix(MediaPlan.mostMedia)
        if let refusal = platformRefusal(of: reference, among: others, profile: profile) { return refusal }
        return reference.role == .thumbnail || profile.roles.contains(reference.role)
            ? nil : MediaFailure(.otherProfile, "the profile \(profile.name) shows no \(reference.role.rawValue)")
    }

    /// Whether a media item is a thumbnail of the payload's beside an attachment, whose renditions have their own.
    package static func isStandIn(_ index: Int, among references: [MediaReference], profile: MediaProfile) -> Bool {
        let others = references.prefix(MediaPlan.mostMedia)
        return references[index].role == .thumbnail
            && others.contains {
                $0.role == .attachment && platformRefusal(of: $0, among: others, profile: profile) == nil
            }
    }

    /// The profile `original` is for any platform, and shows what is for each.
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
