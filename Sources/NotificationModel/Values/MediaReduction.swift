/// What was made of a medium in place of what the profile asks for, because there was no time for that.
package struct MediaReduction: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// A smaller picture.
        case smaller
        /// One picture of an animation or of a video.
        case still
        /// A picture of the thumbnail's size, and no thumbnail beside it.
        case thumbnail
    }

    package var kind: Kind
    /// A sentence for people.
    package var detail: String

    package init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }
}
