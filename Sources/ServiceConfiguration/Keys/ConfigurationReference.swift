import JSON
import NotificationModel

/// `docs/configuration.md`, written from the table of keys.
package enum ConfigurationReference {
    package static var markdown: String {
        ([introduction] + ConfigurationSection.all.map(section) + [dialects, ending]).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Configuration

        Flags go before environment variables, these before the file, and the file before the defaults. A list or mapping
        of a higher source replaces that of a lower one. The file is the one that `--config FILE` or `APPGROUPD_CONFIG`
        names, which must exist; else `\(ConfigurationLoader.defaultPath)`, if it exists. `appgroupd config` shows what is in
        force, and where each value is from.

        The file is YAML of at most 1 MiB: mappings, lists and texts; no anchors, aliases or blocks of text. In the
        environment lists are separated by commas, and what has mappings is YAML on one line; flags of lists may be repeated.
        Durations are written as `500ms`, `5s`, `2m`, `1h` or `7d`; bytes as `1000`, `50MB` (a million each) or `40MiB`.
        Relative paths are those of the working directory. `none` takes a value away where the table says so.

        SIGHUP reads the files again. What is wrong then is told, and nothing changes; what cannot change while running is
        told too, and waits for a restart.

        This page is made from the table of keys; `REWRITE_GOLDENS=1 swift test --filter ReferenceTests` rewrites it.
        """

    private static func section(_ section: ConfigurationSection) -> String {
        let title = section.name.isEmpty ? "Top of the file" : "`\(section.name)`"
        let heading = section.name.isEmpty ? "## \(title)" : "## \(title)\n\n\(section.meaning)"
        let head = "| key | meaning | value | default | environment | flag | SIGHUP |\n|---|---|---|---|---|---|---|"
        return ([heading + "\n\n" + head] + section.keys.map(row)).joined(separator: "\n")
    }

    private static func row(_ key: ConfigurationKey) -> String {
        let cells = [
            "`\(key.path)`", key.meaning, key.expected, key.defaultWords ?? defaultText(of: key),
            "`\(key.environmentName)`", key.flag.map { "`\($0)`" } ?? "", key.isReloadable ? "yes" : "no",
        ]
        return "| "
            + cells.map { $0.replacing("|", with: "\\|").replacing("*.", with: "\\*.") }.joined(separator: " | ") + " |"
    }

    private static func defaultText(of key: ConfigurationKey) -> String {
        switch key.json(Configuration(workers: 1)) {
        case .array(let elements) where elements.isEmpty: "empty"
        case .object(let object) where object.isEmpty: "empty"
        case let value: "`\(ConfigurationEntry.text(of: value))`"
        }
    }

    private static let ending = """
        ## Secrets

        The values of `fetch.headers` and what the file of `matrix.tokenFile` holds are secrets: `appgroupd config` shows
        `\(SecretText.shown)` for the first and the path of the second, and no log or message has them. A header's value is a
        text, or `{file: PATH}`. Such files are read at each load, their last newline is cut, and they are refused when others
        than their owner and group may read or write them. There is no flag for a secret.

        ## Example

        ```yaml
        \(example)
        ```
        """

    /// A whole file, as somebody would begin with.
    package static let example = """
        root: /var/lib/appgroupd
        listen: 127.0.0.1:8480
        socketGroup: www-data
        groups: [group.com.example.app, group.com.example.beta]
        budget: 20s
        log:
          level: notice
          format: json
        fetch:
          allowHosts: ["*.example.com", media.example.org]
          headers:
            media.example.com:
              Authorization: {file: /etc/appgroupd/media-token}
              Accept: "image/*, video/*"
        media:
          videoBytes: 100MB
        results:
          retention: 1d
        """
}
