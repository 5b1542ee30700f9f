package import JSON
import NotificationModel

/// A reader that makes items of the lines and the objects of a source.
package struct WarmItemReader: Sendable {
    /// The format of the source; `nil` if the form of each object is detected.
    private let format: WarmFormat?
    private let entries: WarmEntryReader

    /// - Parameter entries: The reader of objects whose keys are those of items in a source.
    package init(format: WarmFormat?, entries: WarmEntryReader) {
        self.format = format
        self.entries = entries
    }

    /// Returns the item of a line with a URL; `nil` for an empty line and for a comment.
    package func item(line: String, at place: String) -> WarmItem? {
        line.isEmpty || line.hasPrefix("#") ? nil : entries.item(url: line, at: place)
    }

    /// Returns the item of a URL from a command line or a sitemap.
    package func item(url: String, at place: String) -> WarmItem { entries.item(url: url, at: place) }

    package func item(of object: JSONObject, at place: String) throws(WarmProblem) -> WarmItem {
        switch format {
        case .ndjson: break
        case .payloads: return entries.item(payload: object, at: place)
        case .urls, .xml, nil: guard isEntry(object) else { return entries.item(payload: object, at: place) }
        }
        return try entries.entry(of: object, at: place).item
    }

    /// Returns whether an object is an entry. An entry has a URL, and each other key is a key of entries or a
    /// misspelling of such a key.
    private func isEntry(_ object: JSONObject) -> Bool {
        object["url"]?.string != nil
            && object.keys.allSatisfy { key in
                entries.form.keys.contains { $0 == key || NearestWord.isSlip(key, of: $0) }
            }
    }
}
