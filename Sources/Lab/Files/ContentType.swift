import MediaTypes

/// The `Content-Type` for the extension of a file name.
package enum ContentType {
    package static let html = "text/html; charset=utf-8"
    package static let unknown = "application/octet-stream"

    /// Returns the type for the last extension, in upper or lower case; ``unknown`` if no table has it.
    package static func named(by path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return unknown }
        let suffix = name[name.index(after: dot)...].lowercased()
        return byExtension[suffix] ?? MediaFormat.named(extension: suffix)?.mimeType ?? unknown
    }

    /// The types of the extensions of texts, and of extensions that are not the usual ones of their formats.
    private static let byExtension = [
        "apng": "image/apng", "heif": "image/heif", "ico": "image/vnd.microsoft.icon",
        "m4v": "video/x-m4v", "3gp": "video/3gpp", "wma": "audio/x-ms-wma", "wmv": "video/x-ms-wmv",
        "awb": "audio/amr-wb", "mpd": "application/dash+xml",
        "json": "application/json", "html": html, "htm": html, "txt": "text/plain; charset=utf-8",
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    ]
}
