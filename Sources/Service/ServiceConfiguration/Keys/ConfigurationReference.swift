import Base
import NotificationModel

/// The text of `docs/operate/configuration.md`, which is generated from the table of keys.
package enum ConfigurationReference {
    package static var markdown: String {
        ([introduction] + ConfigurationSection.all.map(section) + [groups, dialects, ending]).joined(separator: "\n\n")
            + "\n"
    }

    private static let introduction = """
        # Configuration

        The value of a key comes from the first of these sources that has the key:

        1. a flag, such as `--budget 5s`;
        2. an environment variable, such as `APPGROUPD_BUDGET=5s`;
        3. the configuration file;
        4. the default.

        `appgroupd config` shows each value and its source. A list or a mapping from one source replaces the whole list or
        mapping of the later sources.

        `--config FILE` or `APPGROUPD_CONFIG` names the configuration file, which must exist. If neither is set, the file
        `\(ConfigurationLoader.defaultPath)` is used if it exists. The [example](#example) shows a complete file. The file
        contains at most 1 MiB of YAML, with mappings, lists and texts. Anchors, aliases and block texts are not accepted.

        | value | form |
        |---|---|
        | duration | `500ms`, `5s`, `2m`, `1h` or `7d` |
        | bytes | `1000`, `50MB` (50 million) or `40MiB` |
        | path | an absolute path, or a path relative to the working directory |
        | `none` | no value, for keys that accept `none` |
        | mapping of `groups` in an environment variable | YAML on one line, in braces |
        | list in an environment variable | the elements, with commas between them |
        | list in flags | one flag for each element |
        | mapping, or list of mappings, in an environment variable | YAML on one line |

        At SIGHUP the daemon reads the file again. If the new configuration has an error, the daemon logs the error and keeps
        the old configuration. In the tables below, the column SIGHUP says whether a key can change without a restart. If a
        changed key needs a restart, the log names the key.

        This command generates the page from the keys in the code: `REWRITE_GOLDENS=1 swift test --enable-swift-testing --filter ReferenceTests`.
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

        The values of `fetch.headers`, the token in `matrix.tokenFile` and the password in `fetch.proxyCredentials` are
        secrets. `appgroupd config` shows `\(SecretText.shown)` instead of each header value, and the paths of the two files
        instead of what is in them. No log line and no message contains a secret, and no flag has a secret as its value.

        The value of a header is a text, or `{file: PATH}` for a text in a file. The file is read each time that the
        configuration is read, and the last newline of the file is removed. A file that everybody can read or write is refused.

        ## Example

        ```yaml
        \(example)
        ```
        """

    /// A complete file as an example.
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
