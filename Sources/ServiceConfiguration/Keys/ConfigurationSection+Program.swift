import NotificationModel

extension ConfigurationSection {
    static let top = ConfigurationSection(
        name: "", meaning: "At the top of the file.",
        keys: [
            ConfigurationKey(
                "root", \.root, .directory, flag: "--root", reloadable: false,
                "The directory of the app group containers."),
            ConfigurationKey(
                "socket", \.socket, .socketPath, flag: "--socket", default: "`ROOT/appgroupd.sock`", reloadable: false,
                "The unix socket of the HTTP API."),
            ConfigurationKey(
                "socketGroup", \.socketGroup, .orNone(.userGroup), reloadable: false,
                "The group of users that may connect to the socket."),
            ConfigurationKey(
                "listen", \.listen, .orNone(.listenAddress), flag: "--listen", reloadable: false,
                "The TCP address of the HTTP API."),
            ConfigurationKey(
                "groups", \.groups, .list(of: "app groups", .appGroup), reloadable: false,
                "The only app groups that are served, in addition to `group.default`. Empty: every app group, and its directory is created when it is needed."
            ),
            ConfigurationKey(
                "budget", \.budget, .duration(.milliseconds(1)...TimeBudget.longest), flag: "--budget",
                reloadable: true,
                "The time from accepting a request to emitting its result, for requests that name no budget."),
            ConfigurationKey(
                "reserve", \.reserve, .duration(.zero...(.seconds(60))), reloadable: true,
                "The time of a budget that is reserved for making and emitting the result, but at most a tenth of the budget."
            ),
            ConfigurationKey(
                "profile", \.profile, .choice(of: MediaProfile.all.map(\.name)), flag: "--profile", reloadable: true,
                "The receiving platform, for requests that name no profile."),
            ConfigurationKey(
                "workers", \.workers, .number(1...256), flag: "--workers", default: "the number of cores",
                reloadable: false, "The number of worker processes, which make renditions."),
            ConfigurationKey(
                "publicURL", \.publicURL, .orNone(.baseURL(["https", "http"])), reloadable: true,
                "The URL below which renditions can be reached from outside."),
            ConfigurationKey(
                "locale", \.locale, .orNone(.languageTag), reloadable: true,
                "The language of the texts from string tables, for requests that name no language."),
            ConfigurationKey(
                "dialects", \.dialects, formatIn: { .dialects(besides: $0.standardDialects) }, reloadable: true,
                "Payload formats of your own, in the order in which they are tried."),
        ])

    static let log = ConfigurationSection(
        name: "log", meaning: "The log lines on standard error.",
        keys: [
            ConfigurationKey(
                "log.level", \.log.level, .choice, flag: "--log-level", reloadable: true,
                "The lowest level that is logged."),
            ConfigurationKey(
                "log.format", \.log.format, .choice, flag: "--log-format", reloadable: false,
                "The form of log lines. `auto`: text on a terminal, and JSON elsewhere."),
        ])

    static let requests = ConfigurationSection(
        name: "requests", meaning: "The limits for requests.",
        keys: [
            ConfigurationKey(
                "requests.inFlight", \.requests.inFlight, .number(1...1_000_000), reloadable: false,
                "The most requests with media that are processed at a time, and the most media items. A low limit of open files permits fewer media items."
            ),
            ConfigurationKey(
                "requests.queued", \.requests.queued, .number(0...10_000_000), reloadable: false,
                "The most requests that wait, in addition to `requests.inFlight`. If there are more, HTTP calls are refused, and the spool waits."
            ),
            ConfigurationKey(
                "requests.bodyBytes", \.requests.bodyBytes, .byteCount(1_024...64 << 20), reloadable: false,
                "The largest body of one HTTP request."),
            ConfigurationKey(
                "requests.largeBodyBytes", \.requests.largeBodyBytes, .byteCount(1 << 20...16 << 30), reloadable: false,
                "The memory for all payloads of more than 256 KiB together. If they need more, HTTP calls are refused, and the spool waits."
            ),
        ])

    static let results = ConfigurationSection(
        name: "results", meaning: "The results of emitted requests.",
        keys: [
            ConfigurationKey(
                "results.retention", \.results.retention, .duration(.seconds(60)...(.days(3_650))), reloadable: false,
                "The time that results are kept. Until then a repeated id gets the first result."),
            ConfigurationKey(
                "results.quota", \.results.quota, .byteCount(1 << 20...1 << 40), reloadable: false,
                "The most bytes of all results. If there are more, the oldest are removed first."),
        ])

    static let files = ConfigurationSection(
        name: "files", meaning: "The files below the root.",
        keys: [
            ConfigurationKey(
                "files.group", \.files.group, .orNone(.userGroup), reloadable: false,
                "The group of users that may read the files.")
        ])

    static let sandbox = ConfigurationSection(
        name: "sandbox", meaning: "The processes that decode media.",
        keys: [
            ConfigurationKey(
                "sandbox.user", \.sandbox.user, .user, reloadable: false,
                "The user that workers become when the program runs as root."),
            ConfigurationKey(
                "sandbox.require", \.sandbox.require, .choice, flag: "--require-sandbox", reloadable: false,
                "The layers of the sandbox that must be active: `none`, `filter` (the system call filter) or `all`. Without them the program refuses to decode."
            ),
        ])

    static let lint = ConfigurationSection(
        name: "lint", meaning: "The command `lint`.",
        keys: [
            ConfigurationKey(
                "lint.ignore", \.lint.ignore, .list(of: "rules of lint", .ruleName), reloadable: true,
                "Rules that are left out, in addition to those of `--ignore`."),
            ConfigurationKey(
                "lint.failOn", \.lint.failOn, .choice, reloadable: true,
                "The lowest severity that makes the exit status 1. `--strict` is the same as `warning`."),
        ])
}
