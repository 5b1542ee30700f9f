import FoundationEssentials

/// The canonical path of a file, so that two ways to write the same path are equal.
enum AbsolutePath {
    /// Returns the absolute path without a slash at its end and without symbolic links.
    static func of(_ path: String) -> String {
        let whole = URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path(percentEncoded: false)
        return whole.count > 1 && whole.hasSuffix("/") ? String(whole.dropLast()) : whole
    }
}
