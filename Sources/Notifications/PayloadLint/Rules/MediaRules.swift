import Base
import NotificationModel
import NotificationProcessor

enum MediaRules {
    static let all = [
        unreadable, invisible, lists, spaces, entities, relative, base, scheme, inlineBroken, credentials, plainHTTP,
        privateHost, repeatedIdentifier, declaredSize,
    ]

    private static let unreadable = LintRule.each(
        \.media, "url-unreadable", .error,
        "A media URL has no host, an invalid host or port, or a character that must be percent-encoded.",
        source: "Source: RFC 3986. Some programs correct an invalid URL, and other programs refuse it (UNError 100)."
    ) { item, _ in
        guard let problem = item.url.problem, !item.reference.isInline else { return nil }
        let found: (message: String, fix: String)? =
            switch problem {
            case .isRelative, .hasSpace, .hasInvisible: nil
            case .hasControl(let found): ("has \(found)", "Remove it")
            case .hasEscapedSlash: ("has slashes that are escaped twice", "Encode the JSON once")
            case .hasForeign(let scalar):
                ("has \(scalar.isASCII ? "\(scalar)" : VisibleText.name(of: scalar)) in it", "Percent-encode it")
            case .hasBadPercent: ("has a % without two hexadecimal digits", "Write % as %25")
            case .hasNoHost: ("has no host", "Write https://HOST/PATH")
            case .hasBadHost:
                ("has a host that is not valid", "Write a host name of letters, digits, dots and hyphens")
            case .hasBadPort: ("has a port that is not valid", "Write a port from 1 to 65535, or no port")
            }
        return found.map { RuleFinding(item.path, "the media URL \($0.message)", fix: $0.fix) }
    }

    private static let invisible = LintRule.each(
        \.media, "url-invisible", .warning,
        "A media URL has a character in it or around it that is invisible: a control, a character without a width, a blank other than the space, or a mark of direction.",
        source:
            "Texts that are pasted bring such characters. appgroupd leaves them out at the ends of a URL, and requests them as part of the URL everywhere else. Controls are refused there."
    ) { item, _ in
        guard case .hasInvisible(let found) = item.url.problem, !item.reference.isInline else { return nil }
        return RuleFinding(item.path, "the media URL has \(found)", fix: "Remove it")
    }

    private static let lists = LintRule.each(
        \.media, "url-list", .warning, "A media URL has a comma and then `http`, as if there were several URLs.",
        source: "A media URL is one URL. A comma is a part of it (RFC 3986), so a list of URLs is requested as one URL."
    ) { item, _ in
        guard !item.reference.isInline, item.reference.url.contains(/,\s*https?:\/\//.ignoresCase()) else { return nil }
        return RuleFinding(item.path, "the media URL has a comma and then http in it", fix: "Write one URL")
    }

    private static let spaces = LintRule.each(
        \.media, "url-space", .warning, "A media URL has a space in it or around it.",
        source:
            "A URL has no spaces (RFC 3986). Since iOS 17, `URL(string:)` and appgroupd read a space in a URL as %20. Older systems and many servers refuse the URL."
    ) { item, _ in
        guard item.url.problem == .hasSpace, !item.reference.isInline else { return nil }
        return RuleFinding(
            item.path, "the media URL has a space in it, and is fetched with %20 in its place",
            fix: "Write spaces as %20, and none around the URL")
    }

    private static let entities = LintRule.each(
        \.media, "url-html", .warning, "A media URL has an HTML entity, such as `&amp;`.",
        source: "In a URL, `&` is written as it is (RFC 3986). `&amp;` belongs to the HTML around a URL."
    ) { item, _ in
        guard !item.reference.isInline, let entity = HTMLText.entity(in: item.reference.url) else { return nil }
        return RuleFinding(
            item.path, "the media URL has \(VisibleText.quoted(String(entity))) in it",
            fix: "Write the character itself")
    }

    private static let relative = LintRule.each(
        \.media, "url-relative", .error, "A media URL is not absolute.",
        source:
            "The server of a relative URL is unknown. For relative URLs of Home Assistant, see the rule `url-base`."
    ) { item, _ in
        guard item.url.problem == .isRelative, !item.isAtHome else { return nil }
        return RuleFinding(
            item.path,
            item.reference.url.isEmpty ? "the media URL is empty" : "the media URL is not absolute: it has no scheme",
            fix: "Write the whole URL, such as https://media.example.com/picture.jpg")
    }

    private static let base = LintRule.each(
        \.media, "url-base", .warning,
        "A relative media URL of Home Assistant cannot be completed: `homeassistant.baseURL` is not set, or the media URL points outside `homeassistant.baseURL`, for example with `..`.",
        source:
            "See docs/use/dialects.md, `homeassistant`. The vendor's app knows the address of the user's server. appgroupd has only the address in `homeassistant.baseURL`."
    ) { item, subject in
        guard item.isAtHome,
            case .failure(let failure) = subject.linter.locator.locations(of: item.reference, dialect: item.dialect)
        else { return nil }
        return RuleFinding(
            item.path, "the media URL is not fetched: \(failure.detail)",
            fix: "Write the whole URL, or set homeassistant.baseURL")
    }

    private static let scheme = LintRule.each(
        \.media, "url-scheme", .error,
        "The scheme of a media URL is not `https`, `http` or `data`. A payload of Matrix can also have `mxc` URLs.",
        source: "appgroupd and most extensions on phones do not fetch URLs with other schemes."
    ) { item, _ in
        guard let scheme = item.url.scheme, !["https", "http", "data"].contains(scheme),
            !item.isMatrix
        else { return nil }
        return RuleFinding(
            item.path, "URLs with the scheme \(VisibleText.quoted(scheme)) are not fetched",
            fix: "Put the file on a server, and write its https URL")
    }

    private static let inlineBroken = LintRule.each(
        \.media, "inline-media-broken", .error, "The bytes of a media item in the payload cannot be decoded.",
        source: "RFC 2397 defines `data:` URLs. A part of a Comapi message has the bytes as Base64 in `data`."
    ) { item, _ in
        guard item.reference.isInline else { return nil }
        guard let inline = InlineMedia(item.reference.url) else {
            return RuleFinding(
                item.path, "the data: URL has no comma before its bytes",
                fix: "Write data:image/png;base64, and the bytes")
        }
        do throws(MediaFailure) {
            _ = try inline.bytes()
            return nil
        } catch {
            return RuleFinding(item.path, error.detail, fix: "Write the file's bytes as Base64")
        }
    }

    private static let declaredSize = LintRule.each(
        \.media, "declared-size", .error,
        "The size that the payload declares for a file exceeds the limit: 40 MB for images, 20 MB for sounds, 50 MB for videos.",
        source: "See docs/operate/configuration.md, `media.pictureBytes`, `media.soundBytes`, `media.videoBytes`."
    ) { item, _ in
        let kind = item.reference.declaredType?.kind ?? .video
        // If the payload contains the bytes themselves, its declared size has no effect.
        guard !item.reference.isInline, let byteCount = item.reference.declaredByteCount,
            byteCount > kind.maxSourceBytes
        else { return nil }
        return RuleFinding(
            item.path, "the payload declares \(byteCount) bytes, and the limit is \(kind.maxSourceBytes)",
            fix: "Use a smaller file")
    }

    private static let credentials = LintRule.each(
        \.media, "url-credentials", .error, "A media URL has a user name or a password.",
        source:
            "docs/operate/threat-model.md: appgroupd refuses URLs with a user name or a password. RFC 3986 §3.2.1 deprecates passwords in URLs."
    ) { item, _ in
        guard item.url.hasCredentials else { return nil }
        return RuleFinding(
            item.path, "the media URL has a user name or password, and every receiver can read it",
            fix: "Remove it, and use a signed URL or a header (fetch.headers)")
    }

    private static let plainHTTP = LintRule.each(
        \.media, "plain-http", .warning, "A media URL is plain http.",
        source:
            "Apple, \"Preventing insecure network connections\" (App Transport Security): iOS stops an extension that requests a plain http URL (NSURLError -1022). Without encryption, others on the network can change the file."
    ) { item, _ in
        guard item.url.scheme == "http" else { return nil }
        return RuleFinding(
            item.path, "the media URL is plain http", fix: "Write https, and check that the server supports it")
    }

    private static let privateHost = LintRule.each(
        \.media, "private-host", .warning, "The host of a media URL cannot be reached from the public internet.",
        source:
            "Sources: RFC 1918, RFC 6761, RFC 6762, RFC 4193. appgroupd refuses private addresses unless the configuration permits them."
    ) { item, subject in
        guard let host = item.url.host, isPrivate(host), item.url.problem == nil,
            !isAllowed(host, subject.linter.allowed)
        else { return nil }
        return RuleFinding(
            item.path, "\(VisibleText.quoted(host)) can be reached only on its own network",
            fix: "Write a host that receivers can reach, or permit its addresses (--allow-address)")
    }

    private static let privateRanges = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16",
        "::/127", "fc00::/7", "fe80::/10",
    ].compactMap { AddressRange($0) }

    /// Returns whether a host is permitted. A name can lead to any address, so any permitted range permits each name.
    private static func isAllowed(_ host: String, _ ranges: [AddressRange]) -> Bool {
        guard let address = address(of: host) else { return !ranges.isEmpty }
        return ranges.contains { $0.contains(address) }
    }

    private static func address(of host: String) -> IPAddress? { IPAddress(HostAndPort.unbracketed(host)) }

    private static func isPrivate(_ host: String) -> Bool {
        if let address = address(of: host) { return privateRanges.contains { $0.contains(address) } }
        let ends = [".localhost", ".local", ".internal", ".home.arpa", ".test"]
        return host == "localhost" || ends.contains(where: host.hasSuffix)
    }

    private static let repeatedIdentifier = LintRule(
        "repeated-identifier", .warning, "Two media items have the same identifier.",
        source:
            "Apple, \"UNNotificationAttachment\": an app distinguishes attachments by their identifiers. appgroupd appends a number to the second identifier."
    ) { subject in
        var seen: Set<String> = []
        return subject.media.compactMap { item in
            guard let identifier = item.reference.identifier, !seen.insert(identifier).inserted else { return nil }
            return RuleFinding(
                item.path, "another media item has the identifier \(VisibleText.quoted(identifier)), too",
                fix: "Write a different identifier for each media item")
        }
    }
}
