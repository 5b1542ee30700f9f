extension ConfigurationSection {
    static let fetch = ConfigurationSection(
        name: "fetch", meaning: "Who may be fetched, and how long that may take; all inside the request's budget.",
        keys: whoIsFetched + howLong + names + cached)

    private static let whoIsFetched = [
        ConfigurationKey(
            "fetch.allowAddresses", \.fetch.allowAddresses, .list(of: "addresses and ranges", .addressRange),
            flag: "--allow-address", reloadable: true,
            "Addresses that may be fetched on any port though they are not public."),
        ConfigurationKey(
            "fetch.allowHosts", \.fetch.allowHosts, .list(of: "hosts", .hostPattern), flag: "--allow-host",
            reloadable: true, "The only hosts that may be fetched; with an empty list all may."),
        ConfigurationKey(
            "fetch.denyHosts", \.fetch.denyHosts, .list(of: "hosts", .hostPattern), flag: "--deny-host",
            reloadable: true,
            "Hosts that are not fetched, allowed or not."),
        ConfigurationKey(
            "fetch.allowPorts", \.fetch.allowPorts, .list(of: "ports", .number(1...65_535), atLeast: 1),
            flag: "--allow-port", reloadable: true, "The ports that may be fetched from."),
        ConfigurationKey(
            "fetch.schemes", \.fetch.schemes, .list(of: "schemes", .choice(of: ["https", "http"]), atLeast: 1),
            reloadable: true, "The schemes of URLs that may be fetched."),
        ConfigurationKey(
            "fetch.headers", \.fetch.headers, .headers, reloadable: true,
            "What is sent to origins that want a token; the values are secrets and are never shown."),
        ConfigurationKey(
            "fetch.caFile", \.fetch.caFile, .orNone(.path), reloadable: true,
            "The certificates (PEM) that origins are judged by, in place of the system's; a file without any is refused."
        ),
        ConfigurationKey(
            "fetch.hosts", \.fetch.hosts, .hostTrusts, reloadable: true,
            "The trust of single hosts: `caFile` has certificates (PEM) in addition to those of all hosts, an authority's or the host's own; with `pin`, the host's certificate must have one of these public keys, and is trusted by that alone when there is no `caFile`."
        ),
    ]

    private static let howLong = [
        ConfigurationKey(
            "fetch.connectTimeout", \.fetch.connectTimeout, timeout, reloadable: true,
            "From the start to the connection, TLS included."),
        ConfigurationKey(
            "fetch.firstByteTimeout", \.fetch.firstByteTimeout, timeout, reloadable: true,
            "From the request to the first byte of the answer."),
        ConfigurationKey(
            "fetch.idleTimeout", \.fetch.idleTimeout, timeout, reloadable: true, "The longest pause within an answer."),
        ConfigurationKey(
            "fetch.hedgeAfter", \.fetch.hedgeAfter, .orNone(.duration(.milliseconds(10)...(.seconds(60)))),
            reloadable: true,
            "The silence of a transfer after which a second connection may overtake it; `none`: never."),
        ConfigurationKey(
            "fetch.redirects", \.fetch.redirects, .number(0...20), reloadable: true,
            "How many redirects are followed; each is judged anew."),
        ConfigurationKey(
            "fetch.connections", \.fetch.connections, .number(1...10_000), reloadable: true,
            "Transfers at a time, from all origins."),
        ConfigurationKey(
            "fetch.connectionsPerHost", \.fetch.connectionsPerHost, .number(1...1_000), reloadable: true,
            "Transfers at a time, from one origin."),
        ConfigurationKey(
            "fetch.stalledConnections", \.fetch.stalledConnections, .number(0...100_000), reloadable: true,
            "Transfers that stand still, besides those: they keep no other waiting."),
        ConfigurationKey(
            "fetch.stalledConnectionsPerHost", \.fetch.stalledConnectionsPerHost, .number(0...100_000),
            reloadable: true, "The same, from one origin."),
    ]

    private static let names = [
        ConfigurationKey(
            "fetch.nameServers", \.fetch.nameServers, .list(of: "name servers", .nameServer), reloadable: true,
            "Who is asked for the addresses of hosts, in place of those in /etc/resolv.conf."),
        ConfigurationKey(
            "fetch.nameServerTimeout", \.fetch.nameServerTimeout,
            .duration(.milliseconds(1)...(.seconds(60))), reloadable: true,
            "How long one name server has for one answer; each is asked twice."),
    ]

    private static let cached = [
        ConfigurationKey(
            "fetch.defaultFreshness", \.fetch.defaultFreshness, .duration(.zero...(.days(365))), reloadable: true,
            "How long a response may serve others that says nothing about it; with 0s the rules of HTTP alone count."),
        ConfigurationKey(
            "fetch.cacheQuota", \.fetch.cacheQuota, .byteCount(0...1 << 50), reloadable: false,
            "The most that the HTTP cache keeps; what was used least recently goes first. 0 keeps none."),
    ]

    private static let timeout = ValueCodec<Duration>.duration(.milliseconds(1)...(.seconds(3_600)))

    static let media = ConfigurationSection(
        name: "media", meaning: "How large media may be, how well they are made, and how much of them is kept.",
        keys: [
            ConfigurationKey(
                "media.videoBytes", \.media.videoBytes, sourceSize, reloadable: true,
                "The largest video that is downloaded."),
            ConfigurationKey(
                "media.pictureBytes", \.media.pictureBytes, sourceSize, reloadable: true,
                "The largest picture that is downloaded."),
            ConfigurationKey(
                "media.soundBytes", \.media.soundBytes, sourceSize, reloadable: true,
                "The largest sound that is downloaded."),
            ConfigurationKey(
                "media.pixels", \.media.pixels, .number(1...500_000_000), reloadable: false,
                "The most pixels of a JPEG, which is scaled while it is decoded."),
            ConfigurationKey(
                "media.decodedBytes", \.media.decodedBytes, .byteCount(1...200_000_000), reloadable: false,
                "The most bytes that a decoded picture of another format may take; a worker has 256 MiB."),
            ConfigurationKey(
                "media.frames", \.media.frames, .number(1...100_000), reloadable: false,
                "The most frames of an animation. A GIF of more is cut to its first ones."),
            ConfigurationKey(
                "media.duration", \.media.duration, .duration(.milliseconds(1)...(.days(1))), reloadable: false,
                "The longest video."),
            ConfigurationKey(
                "media.jpegQuality", \.media.jpegQuality, .number(1...100), reloadable: true,
                "The quality of the JPEGs that are made, as libjpeg counts it. One that would have too many bytes for its profile gets a lower one, or fewer pixels."
            ),
            ConfigurationKey(
                "media.videoSide", \.media.videoSide, .number(16...16_384), reloadable: true,
                "The longest side of a video that the phone plays as it is, and gets as a copy, in pixels. A larger video is encoded again, with a longest side of 1,280 or this number, whichever is less. The profile `watch` has 512."
            ),
            ConfigurationKey(
                "media.damaged", \.media.damaged, .choice, reloadable: true,
                "The handling of a JPEG, PNG or GIF that is damaged at its origin: `show` fills the rows that are missing, if they are at most half; `refuse` makes it `corrupt-media`."
            ),
            ConfigurationKey(
                "media.quota", \.media.quota, .byteCount(1 << 20...1 << 50), reloadable: true,
                "The most that the containers of all groups keep; what was used least recently goes first, and nothing that an unemitted request needs."
            ),
            ConfigurationKey(
                "media.retention", \.media.retention, .duration(.seconds(60)...(.days(3_650))), reloadable: true,
                "How long a file is kept that no notification has shown since."),
        ])

    private static let sourceSize = ValueCodec<Int>.byteCount(1...1 << 40)
}
