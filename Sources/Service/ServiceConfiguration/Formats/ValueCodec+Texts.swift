import Base
import NotificationModel

extension ValueCodec where Value == String {
    static var path: ValueCodec {
        text("the path of a file", { isPath($0) ? $0 : nil }, shown: { .string($0) })
    }

    /// The codec of a directory, whose slashes at the end are removed.
    static var directory: ValueCodec {
        text("the path of a directory", directory(_:), shown: { .string($0) })
    }

    /// The codec of a socket's path. `sockaddr_un` has room for 107 bytes (unix(7)).
    static var socketPath: ValueCodec {
        text(
            "the path of a socket, at most \(SocketPath.maxLength) bytes",
            { isPath($0) && $0.utf8.count <= SocketPath.maxLength ? $0 : nil }, shown: { .string($0) })
    }

    static var userGroup: ValueCodec {
        text("the name or number of a group of users", userGroup(_:), shown: { .string($0) })
    }

    static var user: ValueCodec {
        text(
            "the name or number of a user other than root", { $0 == "root" ? nil : userGroup($0) },
            shown: { .string($0) })
    }

    static var appGroup: ValueCodec {
        text(
            "1 to 128 letters, digits, dots and dashes, not starting with a dot, nor ending with .sock, .sqlite or .lock",
            { AppGroupName($0)?.description },
            shown: { .string($0) })
    }

    static var addressRange: ValueCodec {
        text(
            "an address or a range", as: "127.0.0.0/8 or fd00::/8", { AddressRange($0) == nil ? nil : $0 },
            shown: { .string($0) })
    }

    static var nameServer: ValueCodec {
        text(
            "an address with or without a port", as: "192.0.2.53, 127.0.0.1:5353 or \"[2001:db8::53]:53\"",
            { text in
                if IPAddress(text) != nil { return text }
                guard let address = ListenAddress(text), address.port > 0, IPAddress(address.host) != nil else {
                    return nil
                }
                return text
            }, shown: { .string($0) })
    }

    static var hostPattern: ValueCodec {
        text(
            "a host or *.HOST", as: "example.com or \"*.example.com\", without scheme and port, in ASCII",
            HostText.parsePattern, shown: { .string($0) })
    }

    /// The codec of the name of a `lint` rule. The table of the rules is in another target.
    static var ruleName: ValueCodec {
        text(
            "lower-case letters, digits and dashes", as: "plain-http",
            { name in
                let isName = name.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) }
                return (1...64).contains(name.utf8.count) && isName ? name : nil
            }, shown: { .string($0) })
    }

    /// The codec of a header's value (RFC 9110 §5.5).
    static var headerValue: ValueCodec {
        text(
            "printable ASCII characters", as: "\"Mozilla/5.0 (compatible; Example/1.0)\"",
            { HeaderField.isValue($0) && $0.utf8.count <= 1_024 ? $0 : nil }, shown: { .string($0) })
    }

    static func choice(of names: [String]) -> ValueCodec {
        text("one of \(names.joined(separator: ", "))", { names.contains($0) ? $0 : nil }, shown: { .string($0) })
    }

    private static func isPath(_ text: String) -> Bool { !text.isEmpty && !text.utf8.contains(0) }

    private static func directory(_ text: String) -> String? {
        guard isPath(text) else { return nil }
        var path = text[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        return String(path)
    }

    /// Returns a name that useradd(8) roughly permits; `nil` for other texts.
    private static func userGroup(_ text: String) -> String? {
        let isName =
            (1...32).contains(text.utf8.count) && !text.hasPrefix("-")
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                    || "_.-".unicodeScalars.contains(scalar)
            }
        return isName ? text : nil
    }
}

extension ValueCodec where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    static var choice: ValueCodec {
        let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
        return text("one of \(names)", { Value(rawValue: $0) }, shown: { .string($0.rawValue) })
    }
}

extension ValueCodec where Value == ListenAddress {
    static var listenAddress: ValueCodec {
        text(
            "HOST:PORT", as: "127.0.0.1:8480 or [::1]:8480", ListenAddress.init, shown: { .string($0.description) })
    }
}
