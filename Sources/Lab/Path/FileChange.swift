/// When a file becomes another, and which.
package struct FileChange: Sendable, Equatable {
    /// So many requests for the path still get the file as it is.
    package var requests: Int
    /// The file that is served from then on, in ``OriginRequestPath/filePath``'s form. `nil`: the same one with other
    /// bytes.
    package var replacement: String?

    package init(after requests: Int, to replacement: String? = nil) {
        self.requests = requests
        self.replacement = replacement
    }
}
