package import Base
package import NotificationModel

/// All settings of an operator, as typed and checked values.
///
/// The settings come from flags, environment variables, a YAML file and the defaults, in this order of precedence.
/// `ConfigurationLoader` reads them. The loader returns one value for each key, with its source, or all errors, one
/// line each. The table `ConfigurationSection.all` has all keys; the reading, the listing, the comparison and the
/// documentation use it.
///
/// A list or a mapping of one source replaces the list or the mapping of a source with a lower precedence. The two are
/// not merged. Unknown keys, anchors, values out of range and secrets that all users can read are refused. Relative
/// paths refer to the working directory. This target does not check whether a group of users exists; the component that
/// uses the group checks it. The content of a certificate file is checked by a `ConfigurationCheck`.
///
/// Loading blocks on the file system of the calling thread, and cannot be cancelled. A loaded configuration is a value
/// that any thread may read.
package struct Configuration: Sendable {
    package var root = "/var/lib/appgroupd"
    /// The name or number of the socket's group. If `nil`, the socket gets the group of the process.
    package var socketGroup: String?
    /// The TCP address of the HTTP API; `nil` if it does not listen on TCP.
    package var listen: ListenAddress? = ListenAddress(host: "127.0.0.1", port: 8480)
    /// The app groups that the configuration names, and their settings.
    package var groups = AppGroups()
    package var budget: Duration = TimeBudget.standard
    package var reserve: Duration = TimeBudget.standardReserve
    /// The name of a `MediaProfile`.
    package var profile = MediaProfile.ios.name
    /// The number of worker processes. The composition root passes the number of cores.
    package var workers: Int
    /// The base URL of public renditions; `nil` if renditions are not public.
    package var publicURL: BaseURL?
    package var locale: LanguageTag?
    /// The dialects in the order in which they are tried.
    package var dialects: [DialectDefinition] = []
    package var texts = TextTemplates()

    package var auth = Auth()
    package var tls = TLS()
    package var http = HTTP()
    package var log = Log()
    package var fetch = Fetch()
    package var media = Media()
    package var requests = Requests()
    package var results = ResultLimits()
    package var batches = Batches()
    package var messages = Messages()
    package var callbacks = Callbacks()
    package var receipts = Receipts()
    package var record = Record()
    package var files = Files()
    package var sandbox = Sandbox()
    package var payloads = Payloads()
    package var push = Push()
    package var permissions = Permissions()
    package var apns = APNs()
    package var twoMee = TwoMeeSettings()
    package var sendios = Sendios()
    package var comapi = Comapi()
    package var matrix = Matrix()
    package var homeAssistant = HomeAssistant()
    package var lint = Lint()

    /// The app group whose own settings this configuration has; `nil` for the configuration of all groups.
    package internal(set) var appGroup: String?
    /// The standard dialects, whose names the operator's dialects must not have.
    let standardDialects: Set<DialectID>
    /// The sources of the values, by the path of the key.
    private(set) var sources: [String: ValueSource] = [:]
    private var givenSocket: String?

    /// Creates the default configuration.
    ///
    /// - Parameter workers: The number of worker processes, 1…256.
    /// - Parameter standardDialects: The dialects of the program. The operator's dialects must not have their names.
    package init(workers: Int, standardDialects: [DialectID] = []) {
        self.workers = workers
        self.standardDialects = Set(standardDialects)
    }

    /// The path of the unix socket. By default the socket is in the root.
    package var socket: String {
        get { givenSocket ?? (root == "/" ? "" : root) + "/appgroupd.sock" }
        set { givenSocket = newValue }
    }

    package func source(of key: ConfigurationKey) -> ValueSource { sources[key.path] ?? .default }

    mutating func note(_ source: ValueSource, for key: ConfigurationKey) { sources[key.path] = source }

    /// Returns the configuration after a reload: this configuration, with the reloadable values of the other
    /// configuration.
    package func reloaded(from other: Configuration) -> Configuration {
        var reloaded = self
        for key in ConfigurationKey.all where key.isReloadable {
            key.copy(other, &reloaded)
            reloaded.note(other.source(of: key), for: key)
        }
        return reloaded
    }
}

extension ConfigurationSection {
    /// The table of all keys, in the order of the reference.
    package static let all = [
        top, auth, tls, http, log, fetch, media, requests, results, lists, batches, messages, callbacks, receipts,
        record, files, sandbox, payloads, push, permissions, apns, twoMee, sendios, comapi, matrix, homeAssistant, lint,
    ]
}

extension Configuration {
    /// The entries of all keys, in the order of the reference.
    package var entries: [ConfigurationEntry] {
        ConfigurationKey.all.map { key in
            ConfigurationEntry(
                key: key.path, value: key.json(self), source: source(of: key), isReloadable: key.isReloadable)
        }
    }

    package var json: JSONValue { .array(entries.map(\.json)) }

    /// The entries for people: the key, the source and the value of each.
    package var rows: [[String]] { entries.map { [$0.key, $0.source.description, $0.text] } }
}
