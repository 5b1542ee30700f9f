import NotificationModel

/// A reader that finds the media URLs of a list which arrives in pieces. The list is a sitemap (sitemaps.org, with
/// Google's image and video extensions) or a feed (RSS 2.0, Atom, and Media RSS).
package struct MediaListReader {
    package struct Entry: Equatable {
        package let url: String
        /// The number of the line, from 1.
        package let line: Int
    }

    private enum Kind {
        case sitemap
        case sitemapIndex
        case feed
    }

    private var tokens = XMLTokens()
    private var kind: Kind?
    /// The local names of the open elements. A document with more than `deepest` open elements is refused.
    private var open: [String] = []
    private var text = ""
    private var count = 0

    private static let deepest = 64

    package init() {}

    package mutating func append(_ bytes: [UInt8]) { tokens.append(bytes) }

    /// Returns the URLs in the bytes that have arrived since the last call.
    ///
    /// - Parameter isAtEnd: Whether the bytes are complete.
    /// - Throws: A `WarmProblem` whose place is a line, if the document is not a list or has no media.
    package mutating func take(isAtEnd: Bool) throws(WarmProblem) -> [Entry] {
        var found: [Entry] = []
        while let token = try tokens.next(isAtEnd: isAtEnd) {
            switch token {
            case .text(let more) where open.last.map(Self.hasURL) == true:
                // A longer text is not a URL.
                if text.utf8.count < SourceLines.maxLength { text += more }
            case .text: continue
            case .start(let name, let attributes, let isEmpty):
                if kind == nil { try begin(name) }
                if let url = linked(name, attributes) { found.append(Entry(url: url, line: tokens.line)) }
                text = ""
                guard !isEmpty else { continue }
                open.append(Self.local(name))
                guard open.count <= Self.deepest else { throw problem("is not a list: its elements are too deep") }
            case .end(let name):
                if open.last == Self.local(name), let url = written() {
                    found.append(Entry(url: url, line: tokens.line))
                }
                if !open.isEmpty { open.removeLast() }
                text = ""
            }
        }
        count += found.count
        guard isAtEnd else { return found }
        switch kind {
        case nil: throw problem("is neither a sitemap nor a feed")
        case .sitemapIndex?: throw problem("is an index of sitemaps: name the sitemaps themselves")
        case .sitemap? where count == 0:
            throw problem("is a sitemap without media: it has neither image:loc nor video:content_loc")
        case .feed? where count == 0:
            throw problem("is a feed without media: it has neither an enclosure nor media:content")
        default: return found
        }
    }

    private mutating func begin(_ name: String) throws(WarmProblem) {
        switch Self.local(name) {
        case "urlset": kind = .sitemap
        case "sitemapindex": kind = .sitemapIndex
        case "rss", "feed", "RDF": kind = .feed
        default:
            throw problem("begins with <\(VisibleText.short(name, most: 32))>: it must be a sitemap, a feed or a list")
        }
    }

    private func problem(_ text: String) -> WarmProblem { WarmProblem(place: "\(tokens.line)", text: text) }

    // MARK: Elements of a list

    /// Returns the URL in the attributes of an element.
    private func linked(_ name: String, _ attributes: [String: String]) -> String? {
        guard case .feed? = kind else { return nil }
        switch Self.local(name) {
        case "enclosure": return Self.isMedia(attributes["type"]) ? attributes["url"] : nil
        case "content" where name != "content":
            let isShown = attributes["medium"].map { ["image", "video", "audio"].contains($0) }
            return isShown ?? Self.isMedia(attributes["type"]) ? attributes["url"] : nil
        case "thumbnail" where name != "thumbnail": return attributes["url"]
        case "link" where attributes["rel"] == "enclosure":
            return Self.isMedia(attributes["type"]) ? attributes["href"] : nil
        default: return nil
        }
    }

    /// Returns the URL in the text of an element that ends.
    private func written() -> String? {
        guard case .sitemap? = kind, let name = open.last else { return nil }
        let url = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !url.isEmpty else { return nil }
        switch (open.dropLast().last, name) {
        case ("image", "loc"), (_, "content_loc"), (_, "thumbnail_loc"): return url
        // This URL leads to a page, unless its file name is the name of a media file.
        case ("url", "loc"): return Self.hasMediaName(url) ? url : nil
        default: return nil
        }
    }

    private static func hasURL(_ name: String) -> Bool { ["loc", "content_loc", "thumbnail_loc"].contains(name) }

    private static func local(_ name: String) -> String {
        name.split(separator: ":", maxSplits: 1).last.map(String.init) ?? name
    }

    private static func isMedia(_ type: String?) -> Bool {
        guard let type = type?.lowercased() else { return true }
        return ["image/", "video/", "audio/", "application/octet-stream"].contains { type.hasPrefix($0) }
    }

    private static let mediaNames: Set<String> = [
        "jpg", "jpeg", "png", "gif", "webp", "avif", "heic", "bmp", "tif", "tiff", "mp4", "m4v", "mov", "webm", "mkv",
        "avi", "mpg", "mpeg", "mp3", "m4a", "wav", "aiff", "aif", "ogg", "opus", "flac", "aac",
    ]

    private static func hasMediaName(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: ".").last.map { mediaNames.contains($0.lowercased()) } ?? false
    }
}
