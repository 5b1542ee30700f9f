package import JSON
import NotificationModel

/// Makes items of the lines and the objects of a source.
package struct WarmItemReader: Sendable {
    /// `nil`: each object is recognised.
    private let format: WarmFormat?
    private let entries: WarmEntryReader

    /// - Parameter entries: The reader of objects with keys of their own, in the form of sources.
    package init(format: WarmFormat?, entries: WarmEntryReader) {
        self.format = format
        self.entries = entries
    }

    /// Returns the item of a line with a URL; `nil` for an empty line and for a comment.
    package func item(line: String, at place: String) -> WarmItem? {
        line.isEmpty || line.hasPrefix("#") ? nil : entries.item(url: line, at: place)
    }

    /// Returns the item of a URL that a command line or a sitemap names.
    package func item(url: String, at place: String) -> WarmItem { entries.item(url: url, at: place) }

    package func item(of object: JSONObject, at place: String) throws(WarmProblem) -> WarmItem {
        switch format {
        case .ndjson: break
        case .payloads: return entries.item(payload: object, at: place)
        case .urls, .xml, nil: guard isEntry(object) else { return entries.item(payload: object, at: place) }
        }
        return try entries.entry(of: object, at: place).item
    }

    /// An object with a URL is an entry if each other key is one of an entry, or nearly one.
    private func isEntry(_ object: JSONObject) -> Bool {
        object["url"]?.string != nil
            && object.keys.allSatisfy { key in
                entries.form.keys.contains { $0 == key || NearestWord.isSlip(key, of: $0) }
            }
    }
}
