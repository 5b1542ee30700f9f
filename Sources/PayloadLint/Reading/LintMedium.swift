package import NotificationModel

/// One medium of a payload, with its place in the file's object.
package struct LintMedium: Sendable {
    package let reference: MediaReference
    let path: JSONPath
    let url: MediaURL
    /// Of the payload. Matrix's references have a scheme of their own, and Home Assistant's may be relative.
    package let dialect: DialectID?

    /// A scheme of its own, `mxc`.
    var isMatrix: Bool { dialect == "matrix" && url.scheme == "mxc" }
    /// To the house's own server.
    var isAtHome: Bool {
        dialect == "homeassistant" && reference.url.hasPrefix("/") && !reference.url.hasPrefix("//")
    }

    /// No rule has anything against its URL.
    var isFetchable: Bool {
        isMatrix || isAtHome || url.problem == nil && ["http", "https"].contains(url.scheme)
    }

    /// A phone with an iOS profile shows it as an attachment.
    var isForPhones: Bool {
        guard reference.role == .attachment else { return false }
        return reference.platform == nil || reference.platform == .apns || reference.platform == .any
    }
}
