import WebURL

/// A host name in the form in which DNS compares names: lower case, without the final dot.
struct HostName: Sendable, Hashable, CustomStringConvertible {
    let description: String

    /// Creates a host name from labels of 1 to 63 letters, digits, `-` and `_`, with a total of at most 253 bytes (RFC
    /// 1035 §2.3.4). The result is `nil` if the text has another form, because c-ares would read a backslash as an
    /// escape and stop at a NUL.
    init?(_ text: String) {
        let name = text.utf8.last == UInt8(ascii: ".") ? String(text.dropLast()) : text
        guard (1...253).contains(name.utf8.count) else { return nil }
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }
        }
        guard isName else { return nil }
        description = name.lowercased()
    }

    /// Whether the name is `localhost` or a name below `localhost`. Such a name is this machine, and is not sent to
    /// name servers (RFC 6761 §6.3).
    var isLoopback: Bool { description == "localhost" || description.hasSuffix(".localhost") }
}
