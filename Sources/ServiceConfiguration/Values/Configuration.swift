package import JSON
package import NotificationModel

/// Everything that an operator can decide, as typed values that have been checked.
///
/// What comes in: flags, environment variables, a YAML file and the defaults, in this order of precedence
/// (`ConfigurationLoader`). What goes out: one value for each key, with its source, or every problem that was found, one
/// line each. The keys are in one table, `ConfigurationSection.all`: it reads, shows, compares and documents them.
///
/// A list or mapping of a higher source replaces that of a lower one; nothing is merged. Relative paths are those of the
/// working directory. Whether a group of users exists is for those to see who use it; they see to a certificate file by a
/// `ConfigurationCheck`.
package struct Configuration: Sendable {
    package var root = "/var/lib/appgroupd"
    /// A name or number; `nil` leaves the socket to the group of the process.
    package var socketGroup: String?
    /// `nil`: no TCP.
    package var listen: ListenAddress? = ListenAddress(host: "127.0.0.1", port: 8480)
    /// Names of app groups (`AppGroupName`); empty: any, made on demand.
    package var groups: [String] = []
    package var budget: Duration = TimeBudget.standard
    package var reserve: Duration = .milliseconds(250)
    /// The name of a `MediaProfile`.
    package var profile = MediaProfile.ios.name
    /// Processes; the composition root knows how many cores there are.
    package var workers: Int
    /// `nil`: renditions are not reached from outside.
    package var publicURL: BaseURL?
    package var locale: LanguageTag?
    /// In the order in which they are tried.
    package var dialects: [DialectDefinition] = []

    package var log = Log()
    package var fetch = Fetch()
    package var media = Media()
    package var requests = Requests()
    package var results = Results()
    package var files = Files()
    package var sandbox = Sandbox()
    package var payloads = Payloads()
    package var push = Push()
    package var permissions = Permissions()
    package var apns = APNs()
    package var twoMee = TwoMee()
    package var matrix = Matrix()
    package var homeAssistant = HomeAssistant()
    package var lint = Lint()

    /// Whose names no dialect of the operator's may have.
    let standardDialects: Set<DialectID>
    /// By the path of the key.
    private(set) var sources: [String: ValueSource] = [:]
    private var givenSocket: String?

    /// The defaults.
    ///
    /// - Parameters:
    ///   - workers: 1…256.
    ///   - standardDialects: those that the program has; no dialect of the operator's may have one of these names.
    package init(workers: Int, standardDialects: [DialectID] = []) {
        self.workers = workers
        self.standardDialects = Set(standardDialects)
    }

    /// The path of the unix socket: in the root, unless given.
    package var socket: String {
        get { givenSocket ?? (root == "/" ? "" : root) + "/appgroupd.sock" }
        set { givenSocket = newValue }
    }

    package func source(of key: ConfigurationKey) -> ValueSource { sources[key.path] ?? .default }

    mutating func note(_ source: ValueSource, for key: ConfigurationKey) { sources[key.path] = source }

    /// What is in force after a reload: this with what can change while running taken from the other.
    package func reloaded(from other: Configuration) -> Configuration {
        var reloaded = self
        for key in ConfigurationKey.all where key.isReloadable {
            key.copy(other, &reloaded)
            reloaded.note(other.source(of: key), for: key)
        }
        return reloaded
    }
}

extension Configuration {
    /// Every key, in the order of the reference.
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
