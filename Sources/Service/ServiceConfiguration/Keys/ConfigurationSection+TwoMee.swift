import NotificationModel

extension ConfigurationSection {
    static let twoMee = ConfigurationSection(
        name: "twomee",
        meaning:
            "Messages of [2mee](../use/dialects.md#2mee). A *face* is a message of the kind `face`. The defaults come from 2mee's SDK.",
        keys: twoMeeTexts + twoMeeMedia + twoMeePresentation)

    private static let twoMeeTexts = [
        ConfigurationKey(
            "twomee.category", \.twoMee.category, .label, reloadable: true,
            "The category of the notification. On the phone the category selects the actions and the content extension."
        ),
        ConfigurationKey(
            "twomee.expiredText", \.twoMee.expiredText, .label, reloadable: true,
            "The text that replaces the body of an expired message."),
        ConfigurationKey(
            "twomee.accept", \.twoMee.accept, .label, reloadable: true,
            "The title of the action `accept`, for messages that have no title for this action."),
        ConfigurationKey(
            "twomee.dismiss", \.twoMee.dismiss, .label, reloadable: true, "The title of the action `dismiss`."
        ),
        ConfigurationKey(
            "twomee.play", \.twoMee.play, .label, reloadable: true, "The title of the action `play`."),
        ConfigurationKey(
            "twomee.languages", \.twoMee.languages, .labels, reloadable: true,
            "The texts `expiredText`, `accept`, `dismiss` and `play` in other languages, for receivers whose language is known."
        ),
    ]

    private static let twoMeeMedia = [
        ConfigurationKey(
            "twomee.sounds", \.twoMee.sounds, .sounds, reloadable: true,
            "The sound of each kind of message, for payloads that name no sound. A kind that the mapping does not name keeps its default sound."
        ),
        ConfigurationKey(
            "twomee.images", \.twoMee.putsImagesAside, .either("attached", or: "aside", means: false), reloadable: true,
            "The use of images. `attached`: the system attaches the images to the notification. `aside`: the images are only in the container, for the app's own view."
        ),
    ]

    private static let twoMeePresentation = [
        ConfigurationKey(
            "twomee.dismissTime", \.twoMee.presentation.dismissTime, .orNone(.duration(.zero...(.days(1)))),
            reloadable: true,
            "The time from the end of a face to its automatic dismissal. `none`: the face is not dismissed."),
        ConfigurationKey(
            "twomee.headPosition", \.twoMee.presentation.headPosition, .choice, reloadable: true,
            "The position of a face without shoulders."),
        ConfigurationKey(
            "twomee.shouldersPosition", \.twoMee.presentation.shouldersPosition, .choice, reloadable: true,
            "The position of a face with shoulders: in the lower left corner, in the lower right corner, or in the centre."
        ),
        ConfigurationKey(
            "twomee.centerBackgroundColor", \.twoMee.presentation.centerBackgroundColor, .color, reloadable: true,
            "The background colour of a face in the centre."),
        ConfigurationKey(
            "twomee.backgroundColor", \.twoMee.presentation.backgroundColor, .color, reloadable: true,
            "The colour that covers the app behind a message."),
        ConfigurationKey(
            "twomee.faceBackgroundColor", \.twoMee.presentation.faceBackgroundColor, .color, reloadable: true,
            "The colour that covers the app behind a face."),
        ConfigurationKey(
            "twomee.backgroundImage", \.twoMee.presentation.backgroundImage, .label, reloadable: true,
            "The background image of a message, from the bundle of the content extension."),
        ConfigurationKey(
            "twomee.faceBackgroundImage", \.twoMee.presentation.faceBackgroundImage, .label, reloadable: true,
            "The background image of a face, from the bundle of the content extension."),
        ConfigurationKey(
            "twomee.presentationWhen", \.twoMee.presentationRules, .presentationRules, reloadable: true,
            "The presentation of messages by a value in their `keys`. A name is a value of the key `presentation`, or `KEY == VALUE`. If several names match a message, the later ones take precedence."
        ),
    ]
}
