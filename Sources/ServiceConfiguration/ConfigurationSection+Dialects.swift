extension ConfigurationSection {
    static let apns = ConfigurationSection(
        name: "apns", meaning: "How payloads of no provider are read; key paths are those of your own dialects.",
        keys: [
            ConfigurationKey(
                "apns.mediaKeys", \.apns.mediaKeys, .list(of: "places in a payload", .keyPath), reloadable: true,
                "Where the media are: the first of these that leads to a URL, or to several by its `[]`.")
        ])

    static let twoMee = ConfigurationSection(
        name: "twomee", meaning: "How messages of 2mee are shown; the defaults are those of its SDK.",
        keys: [
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
                "twomee.sounds", \.twoMee.sounds, .sounds, reloadable: true,
                "The sound of each kind of message, for payloads that name none; a kind that is left out has its default."
            ),
        ])

    static let matrix = ConfigurationSection(
        name: "matrix", meaning: "Where the files of Matrix rooms (`mxc://`) are.",
        keys: [
            ConfigurationKey(
                "matrix.tokenFile", \.matrix.tokenFile, .orNone(.tokenFile), reloadable: true,
                "The file of the access token for the homeserver; the token is a secret and is never shown."),
            ConfigurationKey(
                "matrix.homeserver", \.matrix.homeserver,
                formatIn: { configuration in
                    // A token must not go over the wire for everybody to read.
                    let hasToken = configuration.matrix.tokenFile != nil
                    return .orNone(
                        hasToken ? .baseURL(["https"], since: "matrix.tokenFile is set") : .baseURL(["https", "http"]))
                }, reloadable: true,
                "The homeserver that is asked for all of them; with none it is the one that each file names. http only without `matrix.tokenFile`."
            ),
        ])

    static let homeAssistant = ConfigurationSection(
        name: "homeassistant", meaning: "Where the media of Home Assistant are.",
        keys: [
            ConfigurationKey(
                "homeassistant.baseURL", \.homeAssistant.baseURL, .orNone(.baseURL(["https", "http"])),
                reloadable: true, "The URL of the house's server, which relative URLs are below.")
        ])
}
