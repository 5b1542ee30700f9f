extension ConfigurationSection {
    static let fetch = ConfigurationSection(
        name: "fetch",
        meaning:
            "The hosts that media may be fetched from, and the time for fetching. All times are within the budget of the request.",
        keys: whoIsFetched + howLong + names + cached)

    private static let whoIsFetched = [
        ConfigurationKey(
            "fetch.allowAddresses", \.fetch.allowAddresses, .list(of: "addresses and ranges", .addressRange),
            flag: "--allow-address", reloadable: true,
            "Addresses that may be fetched from, on any port, although they are not public."),
        ConfigurationKey(
            "fetch.allowHosts", \.fetch.allowHosts, .list(of: "hosts", .hostPattern), flag: "--allow-host",
            reloadable: true, "The only hosts that may be fetched from. Empty: all hosts."),
        ConfigurationKey(
            "fetch.denyHosts", \.fetch.denyHosts, .list(of: "hosts", .hostPattern), flag: "--deny-host",
            reloadable: true,
            "Hosts that are never fetched from, even if `fetch.allowHosts` has them."),
        ConfigurationKey(
            "fetch.allowPorts", \.fetch.allowPorts, .list(of: "ports", .number(1...65_535), atLeast: 1),
            flag: "--allow-port", reloadable: true, "The ports that may be fetched from."),
        ConfigurationKey(
            "fetch.schemes", \.fetch.schemes, .list(of: "schemes", .choice(of: ["https", "http"]), atLeast: 1),
            reloadable: true, "The schemes of URLs that may be fetched."),
        ConfigurationKey(
            "fetch.headers", \.fetch.headers, .headers, reloadable: true,
            "Headers that are sent to these hosts, for example with a token. The values are secrets and are never shown."
        ),
        ConfigurationKey(
            "fetch.caFile", \.fetch.caFile, .orNone(.path), reloadable: true,
            "The certificates (PEM) of the authorities that are trusted for origins, instead of those of the system. A file without a certificate is refused."
        ),
        ConfigurationKey(
            "fetch.hosts", \.fetch.hosts, .hostTrusts, reloadable: true,
            "The trust in single hosts. `caFile` has certificates (PEM) of authorities or of the host itself, which are trusted in addition to those of all hosts. `pin` demands that the host's certificate has one of these public keys. A `pin` without a `caFile` replaces the authority."
        ),
    ]

    private static let howLong = [
        ConfigurationKey(
            "fetch.connectTimeout", \.fetch.connectTimeout, timeout, reloadable: true,
            "The time for connecting, including TLS. Name resolution does not count."),
        ConfigurationKey(
            "fetch.firstByteTimeout", \.fetch.firstByteTimeout, timeout, reloadable: true,
            "The time from the request to the first byte of the response."),
        ConfigurationKey(
            "fetch.idleTimeout", \.fetch.idleTimeout, timeout, reloadable: true, "The longest pause within a response."),
        ConfigurationKey(
            "fetch.hedgeAfter", \.fetch.hedgeAfter, .orNone(.duration(.milliseconds(10)...(.seconds(60)))),
            reloadable: true,
            "The time without a byte after which a second connection requests the same file. `none`: never."),
        ConfigurationKey(
            "fetch.redirects", \.fetch.redirects, .number(0...20), reloadable: true,
            "The most redirects that are followed. Each URL is checked again."),
        ConfigurationKey(
            "fetch.connections", \.fetch.connections, .number(1...10_000), reloadable: true,
            "The most active transfers at a time, from all origins."),
        ConfigurationKey(
            "fetch.connectionsPerHost", \.fetch.connectionsPerHost, .number(1...1_000), reloadable: true,
            "The most active transfers at a time, from one origin."),
        ConfigurationKey(
            "fetch.stalledConnections", \.fetch.stalledConnections, .number(0...100_000), reloadable: true,
            "The most stalled transfers at a time, in addition to the active ones. Other transfers do not wait for them."
        ),
        ConfigurationKey(
            "fetch.stalledConnectionsPerHost", \.fetch.stalledConnectionsPerHost, .number(0...100_000),
            reloadable: true, "The most stalled transfers at a time, from one origin."),
    ]

    private static let names = [
        ConfigurationKey(
            "fetch.nameServers", \.fetch.nameServers, .list(of: "name servers", .nameServer), reloadable: true,
            "The name servers, instead of those in /etc/resolv.conf."),
        ConfigurationKey(
            "fetch.nameServerTimeout", \.fetch.nameServerTimeout,
            .duration(.milliseconds(1)...(.seconds(60))), reloadable: true,
            "The time that one name server has for one response. Each server is asked at most twice."),
    ]

    private static let cached = [
        ConfigurationKey(
            "fetch.defaultFreshness", \.fetch.defaultFreshness, .duration(.zero...(.days(365))), reloadable: true,
            "The time that a response without cache headers is fresh. `0s`: only the rules of HTTP count."),
        ConfigurationKey(
            "fetch.cacheQuota", \.fetch.cacheQuota, .byteCount(0...1 << 50), reloadable: false,
            "The most bytes that the HTTP cache stores. The least recently used responses are evicted first. `0`: nothing is stored."
        ),
    ]

    private static let timeout = ValueCodec<Duration>.duration(.milliseconds(1)...(.seconds(3_600)))

    static let media = ConfigurationSection(
        name: "media", meaning: "The size and the quality of media, and the time that they are kept.",
        keys: [
            ConfigurationKey(
                "media.videoBytes", \.media.videoBytes, sourceSize, reloadable: true,
                "The largest video that is downloaded."),
            ConfigurationKey(
                "media.pictureBytes", \.media.pictureBytes, sourceSize, reloadable: true,
                "The largest image that is downloaded."),
            ConfigurationKey(
                "media.soundBytes", \.media.soundBytes, sourceSize, reloadable: true,
                "The largest sound file that is downloaded."),
            ConfigurationKey(
                "media.pixels", \.media.pixels, .number(1...500_000_000), reloadable: false,
                "The most pixels of a JPEG. (A JPEG is scaled while it is decoded.)"),
            ConfigurationKey(
                "media.decodedBytes", \.media.decodedBytes, .byteCount(1...200_000_000), reloadable: false,
                "The most bytes of a decoded image of any other format. A worker has 256 MiB in all."),
            ConfigurationKey(
                "media.frames", \.media.frames, .number(1...100_000), reloadable: false,
                "The most frames of an animation. An animation with more frames is cut to the first ones."
            ),
            ConfigurationKey(
                "media.duration", \.media.duration, .duration(.milliseconds(1)...(.days(1))), reloadable: false,
                "The longest animation, video or sound. A longer animation is cut, and a longer video or sound is `too-large`."
            ),
            ConfigurationKey(
                "media.jpegQuality", \.media.jpegQuality, .number(1...100), reloadable: true,
                "The quality of JPEG renditions, on libjpeg's scale. A JPEG that has too many bytes for its profile gets a lower quality, or fewer pixels."
            ),
            ConfigurationKey(
                "media.videoSide", \.media.videoSide, .number(16...16_384), reloadable: true,
                "The longest side of a video that is copied, in pixels. A larger video is transcoded to a longest side of 1,280 pixels, or of this number if it is less. The profile `watch` has 512."
            ),
            ConfigurationKey(
                "media.damaged", \.media.damaged, .choice, reloadable: true,
                "The handling of a damaged JPEG, PNG or GIF. `show`: missing rows are filled, if at most half of the rows are missing. `refuse`: the item is `corrupt-media`."
            ),
            ConfigurationKey(
                "media.quota", \.media.quota, .byteCount(1 << 20...1 << 50), reloadable: true,
                "The most bytes of media in the containers of all groups. The least recently used files are evicted first. Files that a request still needs are not evicted."
            ),
            ConfigurationKey(
                "media.retention", \.media.retention, .duration(.seconds(60)...(.days(3_650))), reloadable: true,
                "The time that a file is kept after the last notification that showed it."),
        ])

    private static let sourceSize = ValueCodec<Int>.byteCount(1...1 << 40)
}
