package import NotificationModel

/// Which media of a payload a profile shows: those for its own platform, in the roles that the platform has.
package enum ProfileChoice {
    /// The reason why a thumbnail is not shown that stands in for an attachment.
    static let attachmentIsThere = MediaFailure(
        .otherProfile, "the attachment is there, and thumbnails are made of it")

    /// Why the profile does not show a medium; `nil` where it does.
    ///
    /// A medium for any platform gives way to one of the same role for the profile's own. A thumbnail stands for an
    /// attachment that is not there; where one is, its renditions have their own.
    ///
    /// - Parameters:
    ///   - index: into the references.
    ///   - references: all media of the payload, in its order. What is behind the most that are taken of one decides
    ///     about none.
    /// - Returns: `other-profile`.
    package static func refusal(
        of index: Int, among references: [MediaReference], profile: MediaProfile
    ) -> MediaFailure? {
        let reference = references[index]
        let others = references.prefix(MediaPlan.mostMedia)
        if let refusal = platformRefusal(of: reference, among: others, profile: profile) { return refusal }
        guard reference.role == .thumbnail else {
            return profile.roles.contains(reference.role)
                ? nil : MediaFailure(.otherProfile, "the profile \(profile.name) shows no \(reference.role.rawValue)")
        }
        let hasAttachment = others.contains {
            $0.role == .attachment && platformRefusal(of: $0, among: others, profile: profile) == nil
        }
        return hasAttachment ? attachmentIsThere : nil
    }

    /// The profile `original` is for any platform, and shows what is for each.
    private static func platformRefusal(
        of reference: MediaReference, among references: ArraySlice<MediaReference>, profile: MediaProfile
    ) -> MediaFailure? {
        let own = profile.platform
        guard let platform = reference.platform, platform != own, own != .any else { return nil }
        guard platform == .any else {
            return MediaFailure(
                .otherProfile, "it is for \(platform.rawValue), and the profile \(profile.name) for \(own.rawValue)")
        }
        let hasOwn = references.contains { $0.platform == own && $0.role == reference.role }
        guard hasOwn else { return nil }
        return MediaFailure(
            .otherProfile, "the payload has its own \(reference.role.rawValue) for \(own.rawValue), which goes before")
    }
}
