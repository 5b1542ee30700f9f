import NotificationModel

extension ConfigurationSection {
    static let top = ConfigurationSection(
        name: "", meaning: "At the top of the file.",
        keys: [
            ConfigurationKey(
                "root", \.root, .directory, flag: "--root", reloadable: false,
                "The folder of the app group containers."),
            ConfigurationKey(
                "socket", \.socket, .socketPath, flag: "--socket", default: "`ROOT/appgroupd.sock`", reloadable: false,
                "The unix socket of the HTTP API."),
            ConfigurationKey(
                "socketGroup", \.socketGroup, .orNone(.userGroup), reloadable: false,
                "The group of users that may use the socket."),
            ConfigurationKey(
                "listen", \.listen, .orNone(.listenAddress), flag: "--listen", reloadable: false,
                "The TCP address of the HTTP API."),
            ConfigurationKey(
                "groups", \.groups, .list(of: "app groups", .appGroup), reloadable: false,
                "The only app groups that are served; with an empty list any is, and its folder is made on demand."),
            ConfigurationKey(
                "budget", \.budget, .duration(.milliseconds(1)...TimeBudget.longest), flag: "--budget",
                reloadable: true, "The time from acceptance to emission for requests that name none."),
            ConfigurationKey(
                "reserve", \.reserve, .duration(.zero...(.seconds(60))), reloadable: true,
                "The most that is kept back of a budget for composing and emitting; never more than a tenth of it."),
            ConfigurationKey(
                "profile", \.profile, .choice(of: MediaProfile.all.map(\.name)), flag: "--profile", reloadable: true,
                "What the receiving platform can show, for requests that name none."),
            ConfigurationKey(
                "workers", \.workers, .number(1...256), flag: "--workers", default: "the number of cores",
                reloadable: false, "The processes that make renditions."),
            ConfigurationKey(
                "publicURL", \.publicURL, .orNone(.baseURL(["https", "http"])), reloadable: true,
                "The URL under which renditions are reached from outside."),
            ConfigurationKey(
                "locale", \.locale, .orNone(.languageTag), reloadable: true,
                "The language whose string table is tried for requests that name none."),
            ConfigurationKey(
                "dialects", \.dialects, formatIn: { .dialects(besides: $0.standardDialects) }, reloadable: true,
                "Payload formats of your own, in the order in which they are tried."),
        ])

    static let log = ConfigurationSection(
        name: "log", meaning: "What is told on standard error.",
        keys: [
            ConfigurationKey(
                "log.level", \.log.level, .choice, flag: "--log-level", reloadable: true,
                "The least important that is told."),
            ConfigurationKey(
                "log.format", \.log.format, .choice, flag: "--log-format", reloadable: false,
                "Lines for people or JSON for programs; `auto` is text on a terminal and JSON elsewhere."),
        ])

    static let requests = ConfigurationSection(
        name: "requests", meaning: "How much is taken in at a time.",
        keys: [
            ConfigurationKey(
                "requests.inFlight", \.requests.inFlight, .number(1...1_000_000), reloadable: false,
                "Media that are worked on at a time, over all requests; fewer where the process may open few files."),
            ConfigurationKey(
                "requests.queued", \.requests.queued, .number(0...10_000_000), reloadable: false,
                "Requests beyond those that wait for their turn; past it HTTP calls are refused, and the spool waits."),
            ConfigurationKey(
                "requests.bodyBytes", \.requests.bodyBytes, .byteCount(1_024...64 << 20), reloadable: false,
                "The largest body of one HTTP request."),
            ConfigurationKey(
                "requests.largeBodyBytes", \.requests.largeBodyBytes, .byteCount(1 << 20...16 << 30), reloadable: false,
                "The memory for payloads of more than 256 KiB, all together; past it HTTP calls are refused, and the spool waits."
            ),
        ])

    static let results = ConfigurationSection(
        name: "results", meaning: "What was emitted.",
        keys: [
            ConfigurationKey(
                "results.retention", \.results.retention, .duration(.seconds(60)...(.days(3_650))), reloadable: false,
                "How long results are kept; a repeated id gets the first result until then."),
            ConfigurationKey(
                "results.quota", \.results.quota, .byteCount(1 << 20...1 << 40), reloadable: false,
                "The bytes of all results that are kept; past it the oldest go first."),
        ])

    static let files = ConfigurationSection(
        name: "files", meaning: "What is written below the root.",
        keys: [
            ConfigurationKey(
                "files.group", \.files.group, .orNone(.userGroup), reloadable: false,
                "The group of users that may read it.")
        ])

    static let sandbox = ConfigurationSection(
        name: "sandbox", meaning: "The processes that decode media.",
        keys: [
            ConfigurationKey(
                "sandbox.user", \.sandbox.user, .user, reloadable: false,
                "The user that workers become when the program runs as root."),
            ConfigurationKey(
                "sandbox.require", \.sandbox.require, .choice, flag: "--require-sandbox", reloadable: false,
                "The layers of the sandbox without which nothing is decoded: none, the filter of system calls, or all."),
        ])

    static let lint = ConfigurationSection(
        name: "lint", meaning: "The command `lint`, which checks payloads before they are sent.",
        keys: [
            ConfigurationKey(
                "lint.ignore", \.lint.ignore, .list(of: "rules of lint", .ruleName), reloadable: true,
                "Rules whose findings are left out, in addition to those of `--ignore`."),
            ConfigurationKey(
                "lint.failOn", \.lint.failOn, .choice, reloadable: true,
                "The lowest severity with which `lint` ends with status 1; `--strict` is `warning`."),
        ])
}
