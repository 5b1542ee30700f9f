/// A rule that changes the presentation of 2mee messages by a pair of a key and a value in the message ("Customise
/// Experience" of the vendor's guide, whose example is the value `dark` of the key `presentation`).
package struct TwoMeePresentationRule: Sendable, Equatable {
    /// The rule as the operator wrote it: a value of the key `presentation`, or `KEY == VALUE`.
    package let name: String
    let condition: PayloadDiscriminator
    package var changes: Changes

    package init(_ name: String, _ changes: Changes) throws(KeyPathError) {
        self.name = name
        self.changes = changes
        condition =
            try name.contains("=")
            ? PayloadDiscriminator(name) : PayloadDiscriminator(KeyPathText(keys: "presentation"), equals: name)
    }

    /// The values that replace those of a presentation; `nil` for values that stay.
    package struct Changes: Sendable, Equatable {
        /// The time; `.some(nil)` if the face is not dismissed.
        package var dismissTime: Duration??
        package var headPosition: TwoMeePresentation.HeadPosition?
        package var shouldersPosition: TwoMeePresentation.ShouldersPosition?
        package var centerBackgroundColor: String?
        package var backgroundColor: String?
        package var faceBackgroundColor: String?
        package var backgroundImage: String?
        package var faceBackgroundImage: String?

        package init() {}

        func applied(to presentation: TwoMeePresentation) -> TwoMeePresentation {
            var changed = presentation
            if let dismissTime { changed.dismissTime = dismissTime }
            changed.headPosition = headPosition ?? changed.headPosition
            changed.shouldersPosition = shouldersPosition ?? changed.shouldersPosition
            changed.centerBackgroundColor = centerBackgroundColor ?? changed.centerBackgroundColor
            changed.backgroundColor = backgroundColor ?? changed.backgroundColor
            changed.faceBackgroundColor = faceBackgroundColor ?? changed.faceBackgroundColor
            changed.backgroundImage = backgroundImage ?? changed.backgroundImage
            changed.faceBackgroundImage = faceBackgroundImage ?? changed.faceBackgroundImage
            return changed
        }
    }
}
