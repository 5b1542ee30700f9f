import NotificationModel
import TranscodeProtocol

extension ConfigurationSection {
    static let fetch = ConfigurationSection(
        name: "fetch",
        meaning:
            "The hosts from which media may be fetched, and the limits of a fetch. The budget of the request also limits each fetch.",
        keys: whoIsFetched + howLong + names + proxy + cached)

    private static let whoIsFetched = [
        ConfigurationKey(
            "fetch.allowAddresses", \.fetch.allowAddresses, .list(of: "addresses and ranges", .addressRange),
            flag: "--allow-address", reloadable: true,
            "Addresses from which media may be fetched although the addresses are not public. Every port of these addresses is permitted."
        ),
        ConfigurationKey(
            "fetch.allowHosts", \.fetch.allowHosts, .list(of: "hosts", .hostPattern), flag: "--allow-host",
            reloadable: true, "The only hosts from which media may be fetched. Empty: all hosts."),
        ConfigurationKey(
            "fetch.denyHosts", \.fetch.denyHosts, .list(of: "hosts", .hostPattern), flag: "--deny-host",
            reloadable: true,
            "Hosts from which media are never fetched, even if `fetch.allowHosts` permits the host."),
        ConfigurationKey(
            "fetch.allowPorts", \.fetch.allowPorts, .list(of: "ports", .number(1...65_535), atLeast: 1),
            flag: "--allow-port", reloadable: true, "The ports of origins to which connections are permitted."),
        ConfigurationKey(
            "fetch.schemes", \.fetch.schemes, .list(of: "schemes", .choice(of: ["https", "http"]), atLeast: 1),
            reloadable: true, "The schemes of URLs that may be fetched."),
        ConfigurationKey(
            "fetch.headers", \.fetch.headers, .headers, reloadable: true,
            "Headers that are sent with each https request to the named host, for example a token. An http request has these headers only if its URL names the host by a private IP address. The values are secrets and are never shown."
        ),
        ConfigurationKey(
            "fetch.userAgent", \.fetch.userAgent, .orNone(.headerValue), default: "`appgroupd/VERSION`",
            reloadable: false,
            "The header `User-Agent` of requests to all hosts. A `User-Agent` in `fetch.headers` takes precedence for its host."
        ),
        ConfigurationKey(
            "fetch.caFile", \.fetch.caFile, .orNone(.path), reloadable: true,
            "The file with the certificates (PEM) of the authorities that are trusted for origins, instead of the authorities of the system. A file without a certificate is refused."
        ),
        ConfigurationKey(
            "fetch.hosts", \.fetch.hosts, .hostTrusts, reloadable: true,
            "The certificates that are trusted for single hosts. `caFile` is a file with certificates (PEM) of authorities or of the host itself. For this host, these certificates are trusted in addition to the authorities for all hosts. `pin` has one or more public keys, and the host's certificate must have one of these keys. If a host has a `pin` but no `caFile`, no authority is needed."
        ),
    ]

    private static let howLong = [
        ConfigurationKey(
            "fetch.connectTimeout", \.fetch.limits.connect, timeout, reloadable: true,
            "The longest time for connecting to an origin, with the TLS handshake but without name resolution."),
        ConfigurationKey(
            "fetch.firstByteTimeout", \.fetch.limits.firstByte, timeout, reloadable: true,
            "The longest time from the request to the first byte of the response."),
        ConfigurationKey(
            "fetch.idleTimeout", \.fetch.limits.idle, timeout, reloadable: true,
            "The longest time without data within a response."),
        ConfigurationKey(
            "fetch.hedgeAfter", \.fetch.limits.hedgeAfter, .orNone(.duration(.milliseconds(10)...(.seconds(60)))),
            reloadable: true,
            "If a transfer receives no data for this time, a second connection requests the same file. `none`: no second connection is opened."
        ),
        ConfigurationKey(
            "fetch.circuitBreaker", \.fetch.limits.circuitBreaker, .either("on", or: "off"), reloadable: true,
            "`on`: after five media items of a host have failed in a row, the host gets no requests for some seconds. `off`: every host always gets requests."
        ),
        ConfigurationKey(
            "fetch.redirects", \.fetch.limits.redirects, .number(0...20), reloadable: true,
            "The largest number of redirects that a fetch follows. The URL of each redirect is checked like the first URL."
        ),
        ConfigurationKey(
            "fetch.connections", \.fetch.limits.connections, .number(1...10_000), reloadable: true,
            "The largest number of active transfers from all origins at a time."),
        ConfigurationKey(
            "fetch.connectionsPerHost", \.fetch.limits.connectionsPerHost, .number(1...1_000), reloadable: true,
            "The largest number of active transfers from one origin at a time."),
        ConfigurationKey(
            "fetch.stalledConnections", \.fetch.limits.stalled, .number(0...100_000), reloadable: true,
            "The largest number of stalled transfers from all origins at a time. A transfer that receives nothing for one second is stalled. Stalled transfers do not count as active, and other transfers do not wait for stalled transfers."
        ),
        ConfigurationKey(
            "fetch.stalledConnectionsPerHost", \.fetch.limits.stalledPerHost, .number(0...100_000),
            reloadable: true, "The largest number of stalled transfers from one origin at a time."),
    ]

    private static let names = [
        ConfigurationKey(
            "fetch.nameServers", \.fetch.resolver.nameservers, .list(of: "name servers", .nameServer), reloadable: true,
            "The name servers that are used instead of the name servers in /etc/resolv.conf."),
        ConfigurationKey(
            "fetch.nameServerTimeout", \.fetch.resolver.queryTimeout,
            .duration(.milliseconds(1)...(.seconds(60))), reloadable: true,
            "The longest time to wait for one response of a name server. A query is sent to each name server at most twice."
        ),
    ]

    private static let cached = [
        ConfigurationKey(
            "fetch.defaultFreshness", \.fetch.defaultFreshness, .duration(.zero...(.days(365))), reloadable: true,
            "The time for which a response without cache headers is fresh. `0s`: only the rules of HTTP apply."),
        ConfigurationKey(
            "fetch.cacheQuota", \.fetch.cache.quota, .byteCount(0...1 << 50), reloadable: false,
            "The largest total size of the responses in the HTTP cache. The least recently used responses are evicted first. `0`: the cache stores nothing."
        ),
    ]

    private static let timeout = ValueCodec<Duration>.duration(.milliseconds(1)...(.seconds(3_600)))

    static let media = ConfigurationSection(
        name: "media",
        meaning: "The limits for media, the quality of renditions, and the time for which renditions are kept.",
        keys: [
            ConfigurationKey(
                "media.videoBytes", \.fetch.limits.videoBytes, sourceSize, reloadable: true,
                "The largest size of a video that is downloaded."),
            ConfigurationKey(
                "media.pictureBytes", \.fetch.limits.imageBytes, sourceSize, reloadable: true,
                "The largest size of an image that is downloaded."),
            ConfigurationKey(
                "media.soundBytes", \.fetch.limits.soundBytes, sourceSize, reloadable: true,
                "The largest size of a sound file that is downloaded."),
            ConfigurationKey(
                "media.pixels", \.media.decoding.scalablePixels, .number(1...500_000_000), reloadable: false,
                "The largest number of pixels of a JPEG. `media.decodedBytes` does not limit a JPEG, because a JPEG is scaled while it is decoded."
            ),
            ConfigurationKey(
                "media.decodedBytes", \.media.decoding.decodedBytes, .byteCount(1...200_000_000), reloadable: false,
                "The largest size of a decoded image in any format other than JPEG. A worker has at most 256 MiB of memory."
            ),
            ConfigurationKey(
                "media.frames", \.media.decoding.frames, .number(1...100_000), reloadable: false,
                "The largest number of frames of an animation. If an animation has more frames, its rendition has only the first frames."
            ),
            ConfigurationKey(
                "media.duration", \.media.duration, .duration(.milliseconds(1)...(.days(1))), reloadable: false,
                "The longest duration of an animation, a video or a sound. A longer animation is cut. A longer video or sound is omitted with the reason `too-large`."
            ),
            ConfigurationKey(
                "media.jpegQuality", \.media.jpegQuality, .number(1...100), reloadable: true,
                "The quality of JPEG renditions, on libjpeg's scale. If a JPEG rendition has too many bytes for its profile, the rendition gets a lower quality or fewer pixels."
            ),
            ConfigurationKey(
                "media.videoSide", \.media.videoSide, .number(16...16_384), reloadable: true,
                "A video is copied only if its longest side has at most this number of pixels. A larger video is transcoded, and its longest side is reduced to 1,280 pixels, or to this number if this number is smaller. For the profile `watch`, the longest side is always at most 512 pixels."
            ),
            ConfigurationKey(
                "media.damaged", \.media.damaged, .choice, reloadable: true,
                "The handling of a damaged JPEG, PNG, GIF or video. `show`: if at most half of the rows are missing, the missing rows are filled and the image is shown; if at least half of a video precedes the damage, this part is shown. `refuse`: the image is omitted, or a still of the video is shown, with the reason `corrupt-media`."
            ),
            ConfigurationKey(
                "media.quota", \.media.container.quota, .byteCount(1 << 20...1 << 50), reloadable: true,
                "The largest total size of the media in the containers of all app groups. The least recently used files are evicted first. Files that a request still needs are not evicted."
            ),
            ConfigurationKey(
                "media.retention", \.media.container.retention, .duration(.seconds(60)...(.days(3_650))),
                reloadable: true,
                "The time for which a media file is kept after the last notification that showed the file."),
            ConfigurationKey(
                "media.signingKeyFile", \.media.signingKeyFile, .orNone(.keyFile()), reloadable: true,
                "A file with the key that signs the public URLs of renditions, or with two keys on two lines [during a rotation](serving-renditions.md#rotate-the-key). Each key has at least 43 characters. Other users must not be able to read the file. `none`: everybody who knows the URL of a rendition can download it."
            ),
            ConfigurationKey(
                "media.accelRedirect", \.media.accelRedirect, .orNone(.urlPath), reloadable: false,
                "The path of an internal location of nginx, [which then sends the bytes of renditions](serving-renditions.md#let-nginx-send-the-bytes). `none`: the daemon sends them itself."
            ),
        ])

    private static let sourceSize = ValueCodec<Int>.byteCount(1...1 << 40)
}
