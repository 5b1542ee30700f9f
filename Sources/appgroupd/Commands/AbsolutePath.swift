import FoundationEssentials

/// The one way in which a command writes the path of a file, however the user names it.
enum AbsolutePath {
    /// Returns the path from the root of the file system, without a slash at its end and without symbolic links.
    static func of(_ path: String) -> String {
        let whole = URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path(percentEncoded: false)
        return whole.count > 1 && whole.hasSuffix("/") ? String(whole.dropLast()) : whole
    }
}
