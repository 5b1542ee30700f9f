import Primitives

/// The way in which an app shows a 2mee message. The defaults are the values of the vendor's SDK ("Custom Settings" of
/// its iOS guide).
package struct TwoMeePresentation: Sendable, Equatable {
    /// The place of a head without shoulders.
    package enum HeadPosition: String, Sendable, CaseIterable {
        case topLeft = "top-left"
        case topRight = "top-right"
        case bottomLeft = "bottom-left"
        case bottomRight = "bottom-right"
        case center
    }

    /// The place of a head with shoulders: a lower corner, because such a head has a lower edge, or the center.
    package enum ShouldersPosition: String, Sendable, CaseIterable { case left, right, center }

    /// The time from the end of a face to its dismissal; `nil` if the face is not dismissed.
    package var dismissTime: Duration? = .seconds(5)
    package var headPosition = HeadPosition.topRight
    package var shouldersPosition = ShouldersPosition.right
    /// The background color of a face in the center, as `#rrggbbaa`.
    package var centerBackgroundColor = "#ffffffff"
    /// The color between the app and a message, as `#rrggbbaa`.
    package var backgroundColor = "#00000099"
    /// The color between the app and a face, as `#rrggbbaa`.
    package var faceBackgroundColor = "#00000033"
    /// The background image of a message in the content extension, by its name in the extension's bundle.
    package var backgroundImage = "media.jpg"
    /// The background image of a face in the content extension, by its name in the extension's bundle.
    package var faceBackgroundImage = "face.png"

    package init() {}

    /// Returns a color with its alpha, in lower case; `nil` if the text is not a color.
    package static func color(_ text: String) -> String? {
        guard text.hasPrefix("#") else { return nil }
        let digits = text.dropFirst().lowercased()
        guard [6, 8].contains(digits.utf8.count), Hexadecimal.isLowercase(digits) else { return nil }
        return "#" + digits + (digits.utf8.count == 6 ? "ff" : "")
    }
}

/// An app's texts for 2mee messages in one language. A missing text is taken from the next language.
package struct TwoMeeLabels: Sendable, Equatable {
    package var accept: String?
    package var dismiss: String?
    package var play: String?
    package var expiredText: String?

    package init() {}
}
