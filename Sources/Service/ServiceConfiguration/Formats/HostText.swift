import Base

/// A host as it occurs in a URL: a name in its ASCII form, or an address without brackets.
enum HostText {
    /// Returns a host in lower case and without the dot of the root; `nil` if the text is not a host.
    static func parse(_ text: String) -> String? {
        if IPAddress(text) != nil { return text.lowercased() }
        let name = text.hasSuffix(".") ? String(text.dropLast()) : text
        guard (1...253).contains(name.utf8.count), name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let labels = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel) else { return nil }
        return labels.joined(separator: ".")
    }

    /// Returns the host of a URL, in which an IPv6 address has brackets; `nil` if the text is not a host.
    static func parse(inURL text: Substring) -> String? {
        if IPAddress(bracketed: text) != nil { return HostAndPort.unbracketed(text).lowercased() }
        return text.contains(":") ? nil : parse(String(text))
    }

    /// Returns a host, or `*.example.com` for all names below `example.com`; `nil` if the text has another form.
    static func parsePattern(_ text: String) -> String? {
        guard text.hasPrefix("*.") else { return parse(text) }
        let domain = String(text.dropFirst(2))
        guard IPAddress(domain) == nil else { return nil }
        return parse(domain).map { "*." + $0 }
    }

    /// Returns whether a label is valid (RFC 1123 §2.1). Underscores are allowed as well, because real names have them.
    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
    }
}
