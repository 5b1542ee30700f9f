package import NotificationModel

extension Configuration {
    /// Every key, in the order of the reference.
    package var entries: [ConfigurationEntry] {
        ConfigurationKey.all.map { key in
            ConfigurationEntry(
                key: key.path, value: key.json(self), source: source(of: key), isReloadable: key.isReloadable)
        }
    }

    package var json: JSONValue { .array(entries.map(\.json)) }

    /// The entries for people: a line each, in columns.
    package var table: String {
        let rows = [["KEY", "VALUE", "SOURCE"]] + entries.map { [$0.key, $0.text, $0.source.description] }
        let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { text, width in text + String(repeating: " ", count: width - text.count + 2) }
                .joined()
                + row[2]
        }.joined(separator: "\n")
    }
}
