import NotificationModel

extension ConfigurationSection {
    static let twoMee = ConfigurationSection(
        name: "twomee", meaning: "How messages of 2mee are shown; the defaults are those of its SDK.",
        keys: twoMeeTexts + twoMeeMedia + twoMeePresentation)

    private static let twoMeeTexts = [
        ConfigurationKey(
            "twomee.category", \.twoMee.category, .label, reloadable: true,
            "The category of the notification, which decides the actions and the content extension."),
        ConfigurationKey(
            "twomee.expiredText", \.twoMee.expiredText, .label, reloadable: true,
            "The text in place of a message that has expired."),
        ConfigurationKey(
            "twomee.accept", \.twoMee.accept, .label, reloadable: true,
            "The title of the action that accepts, for messages that name none."),
        ConfigurationKey(
            "twomee.dismiss", \.twoMee.dismiss, .label, reloadable: true, "The title of the action that dismisses."
        ),
        ConfigurationKey(
            "twomee.play", \.twoMee.play, .label, reloadable: true, "The title of the action that plays."),
        ConfigurationKey(
            "twomee.languages", \.twoMee.languages, .labels, reloadable: true,
            "These four texts in other languages, for receivers whose language is known."),
    ]

    private static let twoMeeMedia = [
        ConfigurationKey(
            "twomee.sounds", \.twoMee.sounds, .sounds, reloadable: true,
            "The sound of each kind of message, for payloads that name none; a kind that is left out has its default."
        ),
        ConfigurationKey(
            "twomee.images", \.twoMee.images, .choice, reloadable: true,
            "Whether the system attaches pictures, or they are only put aside in the container for the app's own view."),
    ]

    private static let twoMeePresentation = [
        ConfigurationKey(
            "twomee.dismissTime", \.twoMee.presentation.dismissTime, .orNone(.duration(.zero...(.days(1)))),
            reloadable: true, "The time from the end of a face to its dismissal; with none it stays."),
        ConfigurationKey(
            "twomee.headPosition", \.twoMee.presentation.headPosition, .choice, reloadable: true,
            "The place of a face without shoulders."),
        ConfigurationKey(
            "twomee.shouldersPosition", \.twoMee.presentation.shouldersPosition, .choice, reloadable: true,
            "The place of a face with shoulders, at the lower edge or in the centre."),
        ConfigurationKey(
            "twomee.centerBackgroundColor", \.twoMee.presentation.centerBackgroundColor, .color, reloadable: true,
            "The colour behind a face in the centre."),
        ConfigurationKey(
            "twomee.backgroundColor", \.twoMee.presentation.backgroundColor, .color, reloadable: true,
            "The colour over the app behind a message in it."),
        ConfigurationKey(
            "twomee.faceBackgroundColor", \.twoMee.presentation.faceBackgroundColor, .color, reloadable: true,
            "The colour over the app behind a face in it."),
        ConfigurationKey(
            "twomee.backgroundImage", \.twoMee.presentation.backgroundImage, .label, reloadable: true,
            "The picture of the content extension's bundle behind a message."),
        ConfigurationKey(
            "twomee.faceBackgroundImage", \.twoMee.presentation.faceBackgroundImage, .label, reloadable: true,
            "The picture of the content extension's bundle behind a face."),
    ]
}
