package import Authentication
package import Base
package import NotificationModel
package import TranscodeProtocol

extension Configuration {
    /// The trust in the certificate of one host, in addition to the authorities for all hosts.
    package struct HostTrust: Sendable, Equatable {
        /// The file of PEM certificates; `nil` if there is no file.
        package var caFile: String?
        /// The pins: `sha256//` and the Base64 digest of a public key. If the list is empty, any key is accepted.
        package var pins: [String] = []
    }

    package struct Fetch: Sendable {
        /// The ranges as texts for `AddressRange`.
        package var allowAddresses: [String] = []
        /// The allowed hosts and patterns such as `*.example.com`, in lower case. If the list is empty, all hosts are
        /// allowed.
        package var allowHosts: [String] = []
        /// The denied hosts in the same form, which take precedence over the allowed hosts.
        package var denyHosts: [String] = []
        package var allowPorts = [80, 443]
        /// The allowed schemes: `https`, `http`, or both.
        package var schemes = ["https", "http"]
        /// The headers by host in lower case, sorted by their names.
        package var headers: [String: [HeaderField]] = [:]
        /// The `User-Agent` for all hosts. If `nil`, `appgroupd/VERSION` is sent.
        package var userAgent: String?
        /// The file of PEM certificates. If `nil`, the certificates of the system are used.
        package var caFile: String?
        /// The trust by host in lower case.
        package var hosts: [String: HostTrust] = [:]
        package var limits = FetchLimits()
        package var resolver = ResolverSettings()
        /// The URL of the egress proxy. If `nil`, all connections are direct.
        package var proxy: BaseURL?
        /// The file with `USER:PASSWORD`; `nil` if the proxy gets no credentials.
        package var proxyCredentials: SecretFile?
        /// The direct hosts: names, `.example.com`, `*.example.com`, and texts of `AddressRange`.
        package var noProxy: [String] = []
        /// Whether the proxy gets the names of hosts instead of their addresses.
        package var proxyResolves = false
        /// The freshness lifetime of a response that declares no lifetime. If it is zero, only the rules of HTTP apply.
        package var defaultFreshness = ResponseCacheLimits.standardFreshness
        /// The limits of stored responses. If the quota is 0, no response is stored.
        package var cache = ResponseCacheLimits()

        /// The parsed ranges of `allowAddresses`.
        package var allowedRanges: [AddressRange] { allowAddresses.compactMap { AddressRange($0) } }
    }
}

extension Configuration {
    /// The limits of decoding, the quality of renditions, and the limits of the stored renditions.
    package struct Media: Sendable {
        /// The limits of decoding, without the duration.
        package var decoding = DecodeLimits()
        /// The duration of the longest animation, video or sound.
        package var duration: Duration = .milliseconds(Int64(DecodeLimits().durationMilliseconds))
        /// The quality of JPEG renditions, on the scale of libjpeg: 1…100.
        package var jpegQuality = MediaForm.standardQuality
        /// The longest side of a video that is copied because the platform can play it unchanged, in pixels.
        package var videoSide = MediaForm.standardVideoSide
        /// The handling of images that are damaged at their origin.
        package var damaged = DamagedMedia.show
        /// The limits of the stored renditions.
        package var container = ContainerLimits()
        /// The keys that sign public URLs of renditions; `nil` if these URLs need no signature.
        package var signingKeyFile: KeyFile<URLSigningKeys>?
        /// The path of nginx's internal location with the root; `nil` if the daemon itself sends the bytes of
        /// renditions.
        package var accelRedirect: String?
    }
}
