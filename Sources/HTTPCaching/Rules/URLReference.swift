import FoundationEssentials

/// URLs that a response names, seen from the one it was asked for (RFC 3986 §5).
enum URLReference {
    /// Absolute, without a fragment; `nil` where there is none or it is no URL.
    static func resolved(_ reference: String?, against base: String) -> String? {
        guard let reference, let base = URL(string: base),
            let url = URL(string: reference, relativeTo: base)?.absoluteURL
        else { return nil }
        return String(url.absoluteString.prefix { $0 != "#" })
    }

    /// RFC 9110 §4.3.1.
    static func haveSameOrigin(_ one: String, _ other: String) -> Bool {
        guard let one = origin(one), let other = origin(other) else { return false }
        return one == other
    }

    private static func origin(_ text: String) -> String? {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased()
        else { return nil }
        let usual = ["http": 80, "https": 443][scheme]
        return "\(scheme)://\(host):\(url.port ?? usual ?? 0)"
    }
}
