extension ConfigurationSection {
    static let push = ConfigurationSection(
        name: "push", meaning: "The payload to send on.",
        keys: [
            ConfigurationKey(
                "push.says", \.push.says, .choice, reloadable: true,
                "The texts of `push.payload` after `fallback`, `expired` and `cancelled`. `success`: the provider's texts. `as-shown`: the texts of `content`."
            )
        ])

    static let permissions = ConfigurationSection(
        name: "permissions", meaning: "The permissions of receivers.",
        keys: [
            ConfigurationKey(
                "permissions.unknownNetwork", \.permissions.unknownNetwork, .choice, reloadable: true,
                "The network that is assumed for receivers that permit downloads on Wi-Fi only, if the request names no network."
            )
        ])

    static let apns = ConfigurationSection(
        name: "apns",
        meaning:
            "Payloads of the dialect `apns`. Key paths are written as in [your own dialects](#dialects-of-your-own).",
        keys: [
            ConfigurationKey(
                "apns.mediaKeys", \.apns.mediaKeys, .list(of: "places in a payload", .keyPath), reloadable: true,
                "The places of the media. The first path that leads to a URL is used. A path with `[]` can lead to several."
            )
        ])

    static let matrix = ConfigurationSection(
        name: "matrix", meaning: "The files of Matrix rooms (`mxc://`).",
        keys: [
            ConfigurationKey(
                "matrix.tokenFile", \.matrix.tokenFile, .orNone(.tokenFile), reloadable: true,
                "The file that has the access token for the homeserver. The token is a secret and is never shown."),
            ConfigurationKey(
                "matrix.homeserver", \.matrix.homeserver,
                formatIn: { configuration in
                    // A token must not go over the wire for everybody to read.
                    let hasToken = configuration.matrix.tokenFile != nil
                    return .orNone(
                        hasToken ? .baseURL(["https"], since: "matrix.tokenFile is set") : .baseURL(["https", "http"]))
                }, reloadable: true,
                "The homeserver for all files. `none`: the server that each `mxc://` names. http is accepted only without `matrix.tokenFile`."
            ),
        ])

    static let homeAssistant = ConfigurationSection(
        name: "homeassistant", meaning: "The media of Home Assistant.",
        keys: [
            ConfigurationKey(
                "homeassistant.baseURL", \.homeAssistant.baseURL, .orNone(.baseURL(["https", "http"])),
                reloadable: true, "The URL of the Home Assistant server. Relative URLs in payloads begin at this URL.")
        ])
}
