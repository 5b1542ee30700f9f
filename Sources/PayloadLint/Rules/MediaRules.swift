import NotificationModel
import NotificationProcessor

/// Where media are said to be.
enum MediaRules {
    static let all = [
        unreadable, relative, base, scheme, inlineBroken, credentials, plainHTTP, privateHost, repeatedIdentifier,
        declaredSize,
    ]

    private static let unreadable = LintRule(
        "url-unreadable", .error,
        "A media URL has a blank, a control or another letter that must be encoded, no host, or a port that is none.",
        source: "RFC 3986. Readers differ in what they make of it: some repair it, some refuse it (UNError 100)."
    ) { subject in
        subject.media.compactMap { medium in
            guard let problem = medium.url.problem, problem != .isRelative, !medium.reference.isInline else {
                return nil
            }
            let (message, fix): (String, String) =
                switch problem {
                case .hasSpace: ("has a blank in it", "Write blanks as %20")
                case .hasControl: ("has a control character in it", "Take it out")
                case .hasForeign(let scalar):
                    ("has \(scalar.isASCII ? "\(scalar)" : VisibleText.name(of: scalar)) in it", "Percent-encode it")
                case .hasBadPercent: ("has a % without two hexadecimal digits", "Write % as %25")
                case .hasNoHost: ("has no host", "Write https://HOST/PATH")
                case .hasBadHost:
                    ("has a host that is none", "Write the host's name in letters, digits, dots and hyphens")
                case .hasBadPort: ("has a port that is none", "Write a port from 1 to 65535, or none")
                case .isRelative: ("is relative", "Write the whole URL")
                }
            return LintFlaw(medium.path, "the media URL \(message)", fix: fix)
        }
    }

    private static let relative = LintRule(
        "url-relative", .error, "A media URL is not absolute.",
        source:
            "Nobody knows what it is relative to. Home Assistant's are relative to the house's own server: `url-base`."
    ) { subject in
        subject.media.filter { $0.url.problem == .isRelative && !$0.isAtHome }.map { medium in
            LintFlaw(
                medium.path,
                medium.reference.url.isEmpty
                    ? "the media URL is empty" : "the media URL is not absolute: it has no scheme",
                fix: "Write the whole URL, as https://media.example.com/picture.jpg")
        }
    }

    private static let base = LintRule(
        "url-base", .warning,
        "A media URL of Home Assistant begins with `/`, and `homeassistant.baseURL` is not set, or the URL leads out of it.",
        source:
            "docs/dialects.md, `homeassistant`. The vendor's app knows the house's server, and this program does not."
    ) { subject in
        subject.media.filter(\.isAtHome).compactMap { medium in
            guard case .failure(let failure) = subject.locator.locations(of: medium.reference, dialect: medium.dialect)
            else { return nil }
            return LintFlaw(
                medium.path, "the media URL is not fetched: \(failure.detail)",
                fix: "Write the whole URL, or set homeassistant.baseURL")
        }
    }

    private static let scheme = LintRule(
        "url-scheme", .error, "A media URL is neither https nor http, nor has the bytes in it (nor, of Matrix, mxc).",
        source: "docs/security.md: nothing else is fetched. A phone's own extension seldom does either."
    ) { subject in
        subject.media.compactMap { medium in
            guard let scheme = medium.url.scheme, !["https", "http", "data"].contains(scheme),
                !medium.isMatrix
            else { return nil }
            return LintFlaw(
                medium.path, "nothing is fetched by the scheme \(VisibleText.quoted(scheme))",
                fix: "Put the file on a server, and write its https URL")
        }
    }

    private static let inlineBroken = LintRule(
        "inline-media-broken", .error, "The bytes of a medium in the payload cannot be read.",
        source: "RFC 2397. Comapi's parts have Base64 in `data`."
    ) { subject in
        subject.media.compactMap { medium in
            guard medium.reference.isInline else { return nil }
            guard let inline = InlineMedia(medium.reference.url) else {
                return LintFlaw(
                    medium.path, "the data: URL has no comma before its bytes",
                    fix: "Write data:image/png;base64, and the bytes")
            }
            do throws(MediaFailure) {
                _ = try inline.bytes()
                return nil
            } catch {
                return LintFlaw(medium.path, error.detail, fix: "Write the file's bytes as Base64")
            }
        }
    }

    private static let declaredSize = LintRule(
        "declared-size", .error,
        "The payload says that a file is larger than what is downloaded: pictures 40 MB, sounds 20 MB, videos 50 MB.",
        source: "docs/configuration.md, `media.pictureBytes`, `media.soundBytes`, `media.videoBytes`."
    ) { subject in
        subject.media.compactMap { medium in
            let kind = medium.reference.declaredType?.kind ?? .video
            guard let byteCount = medium.reference.declaredByteCount, byteCount > kind.mostSourceBytes else {
                return nil
            }
            return LintFlaw(
                medium.path, "the payload announces \(byteCount) bytes, and \(kind.mostSourceBytes) are taken",
                fix: "Put a smaller file there")
        }
    }

    private static let credentials = LintRule(
        "url-credentials", .error, "A media URL carries a user name or a password.",
        source: "docs/security.md: such URLs are refused. RFC 3986 §3.2.1 deprecates them."
    ) { subject in
        subject.media.filter(\.url.hasCredentials).map { medium in
            LintFlaw(
                medium.path, "the media URL carries a user name or password, and everybody who gets the push gets it",
                fix: "Take it out; sign the URL, or give the fetcher a header (fetch.headers)")
        }
    }

    private static let plainHTTP = LintRule(
        "plain-http", .warning, "A media URL is plain http.",
        source:
            "Apple, \"Preventing insecure network connections\" (App Transport Security): a phone's extension may not fetch it (NSURLError -1022). Anybody on the way may change it."
    ) { subject in
        subject.media.filter { $0.url.scheme == "http" }.map { medium in
            LintFlaw(medium.path, "the media URL is plain http", fix: "Write https, and let the server answer it")
        }
    }

    private static let privateHost = LintRule(
        "private-host", .warning, "The host of a media URL is one that the public does not reach.",
        source: "RFC 1918, RFC 6761, RFC 6762, RFC 4193. The fetcher refuses such addresses unless they are allowed."
    ) { subject in
        subject.media.compactMap { medium in
            guard let host = medium.url.host, isPrivate(host), medium.url.problem == nil,
                !isAllowed(host, subject.allowed)
            else { return nil }
            return LintFlaw(
                medium.path, "\(VisibleText.quoted(host)) is reached on its own network only",
                fix: "Write a host that receivers reach, or allow its addresses (--allow-address)")
        }
    }

    private static let privateRanges = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16",
        "::/127", "fc00::/7", "fe80::/10",
    ].compactMap { AddressRange($0) }

    /// A name may lead to any of the allowed addresses.
    private static func isAllowed(_ host: String, _ ranges: [AddressRange]) -> Bool {
        guard let address = address(of: host) else { return !ranges.isEmpty }
        return ranges.contains { $0.contains(address) }
    }

    private static func address(of host: String) -> IPAddress? {
        IPAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    }

    private static func isPrivate(_ host: String) -> Bool {
        if let address = address(of: host) { return privateRanges.contains { $0.contains(address) } }
        let ends = [".localhost", ".local", ".internal", ".home.arpa", ".test"]
        return host == "localhost" || ends.contains(where: host.hasSuffix)
    }

    private static let repeatedIdentifier = LintRule(
        "repeated-identifier", .warning, "Two media have the same identifier.",
        source:
            "Apple, \"UNNotificationAttachment\": an app tells attachments apart by it. A number is put behind the second."
    ) { subject in
        var seen: Set<String> = []
        return subject.media.compactMap { medium in
            guard let identifier = medium.reference.identifier, !seen.insert(identifier).inserted else { return nil }
            return LintFlaw(
                medium.path, "another medium is called \(VisibleText.quoted(identifier)) too",
                fix: "Give each an identifier of its own")
        }
    }
}
