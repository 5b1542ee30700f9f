import WebURL

/// The name of an app group: a directory below the root that one daemon fills and other processes read.
///
/// A name matches `[A-Za-z0-9.-]{1,128}` and does not start with a dot, so it is always a plain file name.
package struct AppGroupName: Sendable, Hashable, CustomStringConvertible {
    package static let `default` = AppGroupName(unchecked: "group.default")

    package let description: String

    package init?(_ name: String) {
        guard (1...128).contains(name.utf8.count), name.utf8.first != UInt8(ascii: "."),
            name.utf8.allSatisfy({ $0.isASCIILetterOrDigit || ".-".utf8.contains($0) })
        else { return nil }
        description = name
    }

    private init(unchecked name: String) { description = name }
}
