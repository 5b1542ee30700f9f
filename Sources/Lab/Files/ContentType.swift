/// The `Content-Type` for the extension of a file name.
package enum ContentType {
    package static let html = "text/html; charset=utf-8"
    package static let unknown = "application/octet-stream"

    /// Returns the type for the last extension, in any case; ``unknown`` if there is no extension or the table does not
    /// have it.
    package static func named(by path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return unknown }
        return byExtension[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    /// The types as registered at IANA. For extensions without a registration (heic before 2018, mkv, flac), the types
    /// are those that servers send.
    private static let byExtension = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "apng": "image/apng", "gif": "image/gif",
        "webp": "image/webp", "heic": "image/heic", "heif": "image/heif", "avif": "image/avif", "bmp": "image/bmp",
        "tif": "image/tiff", "tiff": "image/tiff", "svg": "image/svg+xml", "ico": "image/vnd.microsoft.icon",
        "jxl": "image/jxl",
        "mp4": "video/mp4", "m4v": "video/x-m4v", "mov": "video/quicktime", "webm": "video/webm",
        "mkv": "video/x-matroska", "3gp": "video/3gpp", "avi": "video/x-msvideo", "ts": "video/mp2t",
        "flv": "video/x-flv", "asf": "video/x-ms-asf", "wma": "audio/x-ms-wma", "wmv": "video/x-ms-wmv",
        "m3u8": "application/vnd.apple.mpegurl", "mpd": "application/dash+xml",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "wav": "audio/wav", "aif": "audio/aiff",
        "aiff": "audio/aiff", "caf": "audio/x-caf", "ogg": "audio/ogg", "opus": "audio/ogg", "flac": "audio/flac",
        "amr": "audio/amr", "awb": "audio/amr-wb", "au": "audio/basic", "snd": "audio/basic", "w64": "audio/x-w64",
        "json": "application/json", "html": html, "htm": html, "txt": "text/plain; charset=utf-8",
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "xml": "application/xml",
        "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
    ]
}
