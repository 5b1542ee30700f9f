import NotificationModel

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
                "The texts in `push.payload` if the outcome is `fallback`, `expired` or `cancelled`, or if a template in `texts` changed the texts. `success`: the provider's texts. `as-shown`: the texts of `content`."
            )
        ])

    static let permissions = ConfigurationSection(
        name: "permissions",
        meaning: "The permissions of receivers, for requests whose [envelope](../use/envelope.md) does not state them.",
        keys: [
            ConfigurationKey(
                "permissions.unknownNetwork", \.permissions.unknownNetwork, .choice, reloadable: true,
                "The network that a receiver is assumed to use if the request names no network. The network matters only if the receiver permits downloads only on Wi-Fi."
            ),
            ConfigurationKey(
                "permissions.service", \.permissions.service, .truth, reloadable: true,
                "`false`: notifications are rejected."),
            ConfigurationKey(
                "permissions.download", \.permissions.download, .truth, reloadable: true,
                "`false`: no media are downloaded."),
            ConfigurationKey(
                "permissions.wifiOnly", \.permissions.wifiOnly, .truth, reloadable: true,
                "`true`: media are downloaded only if the receiver's network is Wi-Fi."),
            ConfigurationKey(
                "permissions.alert", \.permissions.alert, .truth, reloadable: true,
                "`false`: notifications with an alert are rejected."),
            ConfigurationKey(
                "permissions.sound", \.permissions.sound, .truth, reloadable: true,
                "`false`: notifications have no sound."),
            ConfigurationKey(
                "permissions.badge", \.permissions.badge, .truth, reloadable: true,
                "`false`: notifications have no badge."),
            ConfigurationKey(
                "permissions.provisional", \.permissions.provisional, .truth, reloadable: true,
                "`true`: notifications are delivered quietly, as with a provisional authorization of Apple."),
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
        name: "matrix",
        meaning:
            "The files of Matrix rooms (`mxc://`), and the [push gateway](../use/matrix-gateway.md) for homeservers.",
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
            ConfigurationKey(
                "matrix.mediaPaths", \.matrix.mediaPaths, .mediaPaths, reloadable: true,
                "The paths at which a homeserver is asked for a file. After an error status the next one is tried, and the path that has answered is tried first for an hour. A path that begins with `_` is below the root of the homeserver, and any other below `/_matrix/`."
            ),
            ConfigurationKey(
                "matrix.gateway", \.matrix.gateway, .choice, reloadable: true,
                "The callers that the push gateway takes. `token`: those that may submit requests, so callers need a token where all calls need one. `open`: all callers, also without a token. `off`: none."
            ),
            ConfigurationKey(
                "matrix.paths", \.matrix.paths, .gatewayPaths, reloadable: true,
                "Further paths of the push gateway, for homeservers that accept any path. The other paths of the daemon take precedence."
            ),
            ConfigurationKey(
                "matrix.apps", \.matrix.apps, formatIn: { .matrixApps(of: $0.appGroup) }, reloadable: true,
                "The app group, the profile and the environment of each app, by its `app_id`. An ID with a `*` at its end stands for all IDs with this beginning, and the longest ID takes precedence. Without a value, the group is `group.default`, and the ID of the app names the profile and the environment."
            ),
        ])

    static let sendios = ConfigurationSection(
        name: "sendios", meaning: "The app at Sendios, for the receipts of its pushes.",
        keys: [
            ConfigurationKey(
                "sendios.baseURL", \.sendios.baseURL, .orNone(.baseURL(["https", "http"])), reloadable: true,
                "The server to which [receipts are passed on](../use/lists.md#receipts-passed-on). `none`: they are not passed on."
            ),
            ConfigurationKey(
                "sendios.clientId", \.sendios.clientID, .orNone(.label), reloadable: true,
                "The client id of the app."),
            ConfigurationKey(
                "sendios.clientTokenFile", \.sendios.clientTokenFile, .orNone(.tokenFile), reloadable: true,
                "The file with the client token, which is a secret and is never shown."),
            ConfigurationKey(
                "sendios.appId", \.sendios.appID, .orNone(.label), reloadable: true, "The id of the app."),
            ConfigurationKey(
                "sendios.senderId", \.sendios.senderID, .number(1...1_000_000_000), reloadable: true,
                "The sender of pushes that name none."),
            ConfigurationKey(
                "sendios.optOuts", \.sendios.optOuts, .truth, reloadable: true,
                "Whether the [opt-outs of receivers](../use/lists.md#opt-outs-passed-on) are passed on."),
        ])

    static let comapi = ConfigurationSection(
        name: "comapi", meaning: "The app at Comapi (dotdigital), for the receipts of its messages.",
        keys: [
            ConfigurationKey(
                "comapi.baseURL", \.comapi.baseURL, .orNone(.baseURL(["https", "http"])), reloadable: true,
                "The server to which [statuses of messages are passed on](../use/lists.md#receipts-passed-on). `none`: they are not passed on."
            ),
            ConfigurationKey(
                "comapi.apiSpace", \.comapi.apiSpace, .orNone(.label), reloadable: true, "The id of the API space."),
            ConfigurationKey(
                "comapi.tokenURL", \.comapi.tokenURL, .orNone(.baseURL(["https"])), reloadable: true,
                "The URL that returns a JSON Web Token for a nonce. `none`: tokens are signed with `comapi.keyFile`."),
            ConfigurationKey(
                "comapi.keyFile", \.comapi.keyFile, .orNone(.tokenFile), reloadable: true,
                "The file with the secret that signs JSON Web Tokens. The secret is never shown."),
            ConfigurationKey(
                "comapi.issuer", \.comapi.issuer, .orNone(.label), reloadable: true,
                "The issuer of the signed tokens."),
            ConfigurationKey(
                "comapi.audience", \.comapi.audience, .orNone(.label), reloadable: true,
                "The audience of the signed tokens."),
            ConfigurationKey(
                "comapi.idClaim", \.comapi.idClaim, .label, reloadable: true,
                "The claim of the signed tokens that has the profile, as the API space names it."),
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
