extension ConfigurationSection {
    static let payloads = ConfigurationSection(
        name: "payloads", meaning: "The payloads that are accepted.",
        keys: [
            ConfigurationKey(
                "payloads.unknown", \.payloads.unknown, .choice, reloadable: true,
                "A payload that no dialect recognises. `pass`: the payload passes through without changes, and the `problem` of the result says so. `reject`: the request is refused."
            )
        ])

    static let push = ConfigurationSection(
        name: "push", meaning: "The payload that the caller sends on to the push service.",
        keys: [
            ConfigurationKey(
                "push.says", \.push.says, .choice, reloadable: true,
                "The texts in `push.payload` if the outcome is `fallback`, `expired` or `cancelled`. `success`: the provider's texts. `as-shown`: the texts of `content`."
            )
        ])

    static let permissions = ConfigurationSection(
        name: "permissions", meaning: "The permissions of receivers.",
        keys: [
            ConfigurationKey(
                "permissions.unknownNetwork", \.permissions.unknownNetwork, .choice, reloadable: true,
                "The network that a receiver is assumed to use if the request names no network. The network matters only if the receiver permits downloads only on Wi-Fi."
            )
        ])

    static let apns = ConfigurationSection(
        name: "apns",
        meaning:
            "Payloads of the dialect `apns`. Key paths are written as in [your own dialects](#dialects-of-your-own).",
        keys: [
            ConfigurationKey(
                "apns.mediaKeys", \.apns.mediaKeys, .list(of: "places in a payload", .keyPath), reloadable: true,
                "The key paths at which a payload can have the URLs of its media. The first path that leads to a URL is used. A path with `[]` can lead to several URLs."
            )
        ])

    static let matrix = ConfigurationSection(
        name: "matrix", meaning: "The files of Matrix rooms (`mxc://`).",
        keys: [
            ConfigurationKey(
                "matrix.tokenFile", \.matrix.tokenFile, .orNone(.tokenFile), reloadable: true,
                "The file with the access token for the homeserver. The token is a secret and is never shown."),
            ConfigurationKey(
                "matrix.homeserver", \.matrix.homeserver,
                formatIn: { configuration in
                    // With http, any host on the path could read the token.
                    let hasToken = configuration.matrix.tokenFile != nil
                    return .orNone(
                        hasToken ? .baseURL(["https"], since: "matrix.tokenFile is set") : .baseURL(["https", "http"]))
                }, reloadable: true,
                "The URL of the homeserver from which all files are fetched. `none`: each file is fetched from the server in its `mxc://` URL. A URL with http is accepted only if `matrix.tokenFile` is not set."
            ),
        ])

    static let homeAssistant = ConfigurationSection(
        name: "homeassistant", meaning: "The media of Home Assistant.",
        keys: [
            ConfigurationKey(
                "homeassistant.baseURL", \.homeAssistant.baseURL, .orNone(.baseURL(["https", "http"])),
                reloadable: true,
                "The URL of the Home Assistant server. Relative URLs in payloads are resolved against this URL.")
        ])
}
