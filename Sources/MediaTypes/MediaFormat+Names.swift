extension MediaFormat {
    private static let byExtension = names(\.extensions)
    private static let byMIMEType = names(\.mimeTypes)

    private static func names(_ column: (Facts) -> [String]) -> [String: MediaFormat] {
        [String: MediaFormat](
            allCases.flatMap { format in column(format.facts).map { ($0, format) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the format of a file extension.
    ///
    /// - Parameter name: The extension without a dot, in any case.
    package static func named(extension name: String) -> MediaFormat? { byExtension[name.lowercased()] }

    /// Returns the format of the file name in a URL; `nil` if the name has no known extension.
    package static func named(fileOf url: String) -> MediaFormat? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? path
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        return named(extension: String(name[name.index(after: dot)...]))
    }

    /// Returns the format of a MIME type.
    ///
    /// - Parameter type: The type with or without parameters, in any case.
    package static func named(mimeType type: String) -> MediaFormat? { byMIMEType[bareMIMEType(type)] }

    /// Returns a MIME type in lower case, without parameters.
    package static func bareMIMEType(_ type: String) -> String {
        String(type.prefix { $0 != ";" }.lowercased().filter { $0 != " " })
    }

    /// Returns the format of renditions with exactly this MIME type, as this program writes it; `nil` for other types.
    package static func rendition(mimeType type: String) -> MediaFormat? { renditions.first { $0.mimeType == type } }

    /// Returns the format of renditions with exactly this file extension, as this program writes it; `nil` for other
    /// extensions.
    package static func rendition(extension name: some StringProtocol) -> MediaFormat? {
        renditions.first { $0.fileExtension == name }
    }
}
