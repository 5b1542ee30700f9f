/// What a medium is for, as the payload says.
package enum MediaRole: String, Sendable, CaseIterable {
    case attachment
    case thumbnail
    case icon
    case badge
    case actionIcon = "action-icon"
}

/// Apple's options of an attachment (`UNNotificationAttachmentOptions…Key`).
package struct AttachmentOptions: Sendable, Equatable {
    /// A rectangle in unit coordinates, each 0…1, origin at the upper left.
    package struct ClippingRect: Sendable, Equatable {
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double

        package init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    package var thumbnailHidden = false
    package var thumbnailClippingRect: ClippingRect?
    /// Seconds into a video.
    package var thumbnailTime: Double?

    package init() {}
}

/// One medium that a payload refers to, in the payload's words.
package struct MediaReference: Sendable, Equatable {
    /// As the payload writes it: relative, hostile, anything.
    package var url: String
    /// The payload's name for it; `nil` where it has none.
    package var identifier: String?
    package var role: MediaRole
    package var options: AttachmentOptions

    package init(
        url: String, identifier: String? = nil, role: MediaRole = .attachment, options: AttachmentOptions = .init()
    ) {
        self.url = url
        self.identifier = identifier
        self.role = role
        self.options = options
    }
}
