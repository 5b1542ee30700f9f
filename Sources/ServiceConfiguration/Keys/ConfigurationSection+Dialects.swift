extension ConfigurationSection {
    static let push = ConfigurationSection(
        name: "push", meaning: "The payload to send on.",
        keys: [
            ConfigurationKey(
                "push.says", \.push.says, .choice, reloadable: true,
                "Its texts after a fallback or an expiry: the provider's own, or those of the processed content.")
        ])

    static let permissions = ConfigurationSection(
        name: "permissions", meaning: "How the permissions of receivers are understood.",
        keys: [
            ConfigurationKey(
                "permissions.unknownNetwork", \.permissions.unknownNetwork, .choice, reloadable: true,
                "The network of receivers that permit downloads on Wi-Fi only and are on a network that nobody names.")
        ])

    static let apns = ConfigurationSection(
        name: "apns", meaning: "How payloads of no provider are read; key paths are those of your own dialects.",
        keys: [
            ConfigurationKey(
                "apns.mediaKeys", \.apns.mediaKeys, .list(of: "places in a payload", .keyPath), reloadable: true,
                "Where the media are: the first of these that leads to a URL, or to several by its `[]`.")
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
