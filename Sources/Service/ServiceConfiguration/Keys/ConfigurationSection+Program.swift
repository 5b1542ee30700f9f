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
                "The Unix group whose members may connect to the socket."),
            ConfigurationKey(
                "listen", \.listen, .orNone(.listenAddress), flag: "--listen", reloadable: false,
                "The TCP address of the HTTP API."),
            ConfigurationKey(
                ConfigurationKey.groupsPath, \.groups, formatIn: { .appGroups(over: $0) }, reloadable: true,
                "The app groups that the daemon serves, in addition to `group.default`, as a list or with [their own settings](#settings-of-one-app-group). Empty, or with `open: true` in the mapping: the daemon serves every app group, and creates the directory of a group when a request needs the directory."
            ),
            ConfigurationKey(
                "budget", \.budget, .duration(.milliseconds(1)...TimeBudget.maximum), flag: "--budget",
                reloadable: true,
                "The longest time from the acceptance of a request to the emission of its result, for requests that name no budget."
            ),
            ConfigurationKey(
                "reserve", \.reserve, .duration(.zero...(.seconds(60))), reloadable: true,
                "The part of a budget that is reserved for making and emitting the result. At most a tenth of a budget is reserved, even if this value is larger."
            ),
            ConfigurationKey(
                "profile", \.profile, .choice(of: MediaProfile.all.map(\.name)), flag: "--profile", reloadable: true,
                "The receiving platform, for requests that name no profile."),
            ConfigurationKey(
                "workers", \.workers, .number(1...256), flag: "--workers", default: "the number of cores",
                reloadable: false,
                "The largest number of worker processes that make renditions for notifications. One more runs the short jobs while all of them are busy with long jobs."
            ),
            ConfigurationKey(
                "publicURL", \.publicURL, .orNone(.baseURL(["https", "http"])), reloadable: true,
                "The beginning of the public URLs [under which phones download renditions](serving-renditions.md), for example the URL of a proxy before the daemon. `none`: results have no public URLs, and the daemon serves no renditions."
            ),
            ConfigurationKey(
                "locale", \.locale, .orNone(.languageTag), reloadable: true,
                "The language of the texts from string tables, for requests that name no language."),
            ConfigurationKey(
                "dialects", \.dialects, formatIn: { .dialects(excluding: $0.standardDialects) }, reloadable: true,
                "Payload formats of your own. The formats are tried in the order of the list."),
            ConfigurationKey(
                "texts", \.texts,
                formatIn: { .texts(of: $0.standardDialects.union($0.dialects.map(\.name))) }, reloadable: true,
                "[Templates for the texts](../use/dialects.md#texts-by-template) of the results, by dialect."),
        ])

    static let log = ConfigurationSection(
        name: "log", meaning: "The [log](logs.md) on standard error, in files and in systemd's journal.",
        keys: [
            ConfigurationKey(
                "log.level", \.log.level, .choice, flag: "--log-level", reloadable: true,
                "The lowest level on standard error."),
            ConfigurationKey(
                "log.format", \.log.format, .choice, flag: "--log-format", reloadable: false,
                "The form of lines on standard error and in the file. `auto`: text on a terminal, and JSON elsewhere."
            ),
            ConfigurationKey(
                "log.console", \.log.console, .truth, reloadable: false,
                "`true`: lines are written to standard error."),
            ConfigurationKey(
                "log.file", \.log.file, .orNone(.path), reloadable: false,
                "The file to which lines are written, too. Its directory must exist."),
            ConfigurationKey(
                "log.fileLevel", \.log.fileLevel, .choice, reloadable: true, "The lowest level in the file."),
            ConfigurationKey(
                "log.fileBytes", \.log.fileBytes, .byteCount(64 << 10...1 << 40), reloadable: false,
                "The size of the file at which it is renamed to `FILE.1`, and a new file begins."),
            ConfigurationKey(
                "log.fileCount", \.log.fileCount, .number(1...1_000), reloadable: false,
                "The largest number of files, with the one that is written. The oldest file is removed first."),
            ConfigurationKey(
                "log.journal", \.log.journal, .truth, reloadable: false,
                "`true`: systemd's journal gets each line as a message with fields."),
            ConfigurationKey(
                "log.journalLevel", \.log.journalLevel, .choice, reloadable: true, "The lowest level in the journal."),
        ])

    static let requests = ConfigurationSection(
        name: "requests", meaning: "The limits for requests.",
        keys: [
            ConfigurationKey(
                "requests.inFlight", \.requests.inFlight, .number(1...1_000_000), reloadable: false,
                "The largest number of requests with media that are processed at a time. This number also limits the media items that are processed at a time. If the limit of open files is low, fewer media items are processed at a time."
            ),
            ConfigurationKey(
                "requests.queued", \.requests.queued, .number(0...10_000_000), reloadable: false,
                "The largest number of requests that can wait while `requests.inFlight` other requests are processed. When this number is reached, further HTTP requests are refused, and further files wait in `incoming/`."
            ),
            ConfigurationKey(
                "requests.perGroup", \.requests.perGroup, .orNone(.number(1...10_000_000)), reloadable: true,
                "The largest number of unfinished requests of one app group. When this number is reached, further HTTP requests of the group are refused, and its further files wait in `incoming/`. Requests of other groups are accepted."
            ),
            ConfigurationKey(
                "requests.bodyBytes", \.requests.bodyBytes, .byteCount(1_024...64 << 20), reloadable: false,
                "The largest size of the body of an HTTP request."),
            ConfigurationKey(
                "requests.largeBodyBytes", \.requests.largeBodyBytes, .byteCount(1 << 20...16 << 30), reloadable: false,
                "The largest total size of all unfinished payloads of more than 256 KiB each. If a further large payload would exceed this size, its HTTP request is refused, or its file waits in `incoming/`. If the daemon runs in a control group with a memory limit, the size is at most a sixteenth of this limit."
            ),
        ])

    static let results = ConfigurationSection(
        name: "results", meaning: "The limits for stored results.",
        keys: [
            ConfigurationKey(
                "results.retention", \.results.retention, .duration(.seconds(60)...(.days(3_650))), reloadable: false,
                "The time for which the result of a request is kept. During this time, a repeated HTTP request with the same id and body gets the kept result."
            ),
            ConfigurationKey(
                "results.quota", \.results.quota, .byteCount(1 << 20...1 << 40), reloadable: false,
                "The largest total size of all results. If the results exceed this size, the oldest results are removed first."
            ),
        ])

    static let lists = ConfigurationSection(
        name: "lists",
        meaning: "The limits of the [lists of emitted notifications](../use/lists.md), which outlive the results.",
        keys: [
            ConfigurationKey(
                "lists.retention", \.results.lists.retention, .duration(.seconds(60)...(.days(3_650))),
                reloadable: false, "The time for which an emitted notification is listed."),
            ConfigurationKey(
                "lists.most", \.results.lists.most, .number(0...1_000_000_000), reloadable: false,
                "The largest number of listed notifications, of all app groups. The oldest notifications are removed first. If the number is 0, nothing is listed."
            ),
        ])

    static let batches = ConfigurationSection(
        name: "batches", meaning: "The limits for [batches](../use/campaign.md), which have one request in each line.",
        keys: [
            ConfigurationKey(
                "batches.maxBytes", \.batches.maxBytes, .byteCount(1_024...1 << 40), reloadable: false,
                "The largest size of the body of one batch."),
            ConfigurationKey(
                "batches.quota", \.batches.quota, .byteCount(1 << 20...1 << 40), reloadable: false,
                "The largest total size of all stored batches and their results. One caller can have three quarters of it. At this size, further batches are refused and stored batches pause, until the results of earlier ones are removed."
            ),
            ConfigurationKey(
                "batches.maxScratch", \.batches.maxScratch, .byteCount(1 << 20...1 << 40), reloadable: true,
                "The largest total size of the results that wait for the clients of running calls. One caller can have a quarter of it. At this size, a call reads no further line until its client has read results."
            ),
            ConfigurationKey(
                "batches.retention", \.batches.retention, .duration(.seconds(60)...(.days(3_650))), reloadable: false,
                "The time for which the results of a stored batch are kept after its end."),
        ])

    static let messages = ConfigurationSection(
        name: "messages",
        meaning: "The limits for [named messages](../use/messages.md), which apps ask for by their names.",
        keys: [
            ConfigurationKey(
                "messages.retention", \.messages.retention, .duration(.seconds(60)...(.days(30))), reloadable: false,
                "The longest life of a message. A message without an end of its own has this life. Its files are kept for the same time."
            ),
            ConfigurationKey(
                "messages.quota", \.messages.quota, .byteCount(1 << 20...1 << 40), reloadable: false,
                "The largest total size of all messages with their contents, without their files. If the messages exceed this size, further messages are refused until earlier ones end or are removed."
            ),
        ])

    static let callbacks = ConfigurationSection(
        name: "callbacks",
        meaning: "The [callbacks](../use/callbacks.md): messages about results and receipts to your servers.",
        keys: [
            ConfigurationKey(
                "callbacks.targets", \.callbacks.targets, .callbackTargets, reloadable: true,
                "The [servers that get messages](../use/callbacks.md#targets), with the files of their secrets."),
            ConfigurationKey(
                "callbacks.apiURL", \.callbacks.apiURL, .orNone(.baseURL(["https", "http"])), reloadable: true,
                "The URL under which targets reach the HTTP API, for the links to results. `none`: links begin with the path."
            ),
            ConfigurationKey(
                "callbacks.retention", \.results.callbacks.retention, .duration(.seconds(60)...(.days(3_650))),
                reloadable: false,
                "The time for which a message is kept after its delivery or its last failure, so that it can be sent again."
            ),
            ConfigurationKey(
                "callbacks.quota", \.results.callbacks.quota, .byteCount(1 << 20...1 << 40), reloadable: false,
                "The largest total size of all messages. If the messages exceed this size, ended messages are removed first, and then the oldest pending ones of the target that has the most."
            ),
        ])

    static let receipts = ConfigurationSection(
        name: "receipts",
        meaning:
            "The [signed URLs](../use/lists.md#signed-urls) by which devices without a token send receipts. Results have them if there are a URL and a key.",
        keys: [
            ConfigurationKey(
                "receipts.publicURL", \.receipts.publicURL, .orNone(.baseURL(["https", "http"])), reloadable: true,
                "The beginning of the signed URLs, for example the URL of a proxy before the daemon. `none`: results have no signed URLs."
            ),
            ConfigurationKey(
                "receipts.signingKeyFile", \.receipts.signingKeyFile, .orNone(.keyFile()), reloadable: true,
                "A file with the key that signs the URLs, or with two keys on two lines [during a rotation](serving-renditions.md#rotate-the-key). Each key has at least 43 characters. Other users must not be able to read the file. `none`: results have no signed URLs, and no receipt without a token is accepted."
            ),
            ConfigurationKey(
                "receipts.urlLifetime", \.receipts.urlLifetime, .duration(.seconds(60)...(.days(365))),
                reloadable: true, "The time for which a signed URL is valid, from the acceptance of the request."),
        ])

    static let record = ConfigurationSection(
        name: "record",
        meaning:
            "The [recordings](../use/testing.md#from-production-to-a-test) of requests that failed, which `lab replay` plays.",
        keys: [
            ConfigurationKey(
                "record.folder", \.record.folder, .orNone(.directory), flag: "--record", reloadable: false,
                "The folder of the recordings, which have the texts of the payloads. The daemon creates it for itself alone. `none`: nothing is recorded."
            ),
            ConfigurationKey(
                "record.quota", \.record.quota, .byteCount(1 << 20...1 << 40), reloadable: false,
                "The largest total size of all recordings. If the recordings exceed this size, the oldest recordings are removed first."
            ),
        ])

    static let files = ConfigurationSection(
        name: "files", meaning: "The files in the root directory.",
        keys: [
            ConfigurationKey(
                "files.group", \.files.group, .orNone(.userGroup), reloadable: false,
                "The Unix group whose members may read the files.")
        ])

    static let sandbox = ConfigurationSection(
        name: "sandbox", meaning: "The sandbox of the workers, which are the processes that decode media.",
        keys: [
            ConfigurationKey(
                "sandbox.user", \.sandbox.user, .user, reloadable: false,
                "The user of the workers if the program itself runs as root."),
            ConfigurationKey(
                "sandbox.require", \.sandbox.require, .choice, flag: "--require-sandbox", reloadable: false,
                "The layers of the sandbox that must be active. `none`: no layer. `filter`: the system call filter. `all`: all layers. If a required layer is missing, programs that decode media exit with status 2."
            ),
        ])

    static let lint = ConfigurationSection(
        name: "lint", meaning: "The command `lint`.",
        keys: [
            ConfigurationKey(
                "lint.ignore", \.lint.ignore, .list(of: "rules of lint", .ruleName), reloadable: true,
                "Rules whose findings `lint` does not report, in addition to the rules that `--ignore` names."),
            ConfigurationKey(
                "lint.failOn", \.lint.failOn, .choice, reloadable: true,
                "The lowest severity of a finding that makes `lint` exit with status 1. The flag `--strict` has the same effect as the value `warning`."
            ),
        ])
}

extension ConfigurationSection {
    /// The keys of `fetch` that concern the egress proxy.
    static let proxy = [
        ConfigurationKey(
            "fetch.proxy", \.fetch.proxy, .orNone(.proxyURL), reloadable: true,
            "The [proxy](../reference/fetching.md#proxies) through which media are fetched. Without a port in the URL, the port is 80 for http and 443 for https. The environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` have no effect."
        ),
        ConfigurationKey(
            "fetch.proxyCredentials", \.fetch.proxyCredentials, .orNone(.credentialsFile), reloadable: true,
            "A file with the user and the password for the proxy, as `USER:PASSWORD` on one line. Other users must not be able to read the file. The proxy gets them by Basic authentication."
        ),
        ConfigurationKey(
            "fetch.noProxy", \.fetch.noProxy, .list(of: "hosts and addresses", .directHost), reloadable: true,
            "The hosts that are connected to without the proxy. `example.com` means this host and all names below it, and `.example.com` only the names below it. An address or a range means all hosts whose addresses are in it."
        ),
        ConfigurationKey(
            "fetch.proxyResolves", \.fetch.proxyResolves, .truth, reloadable: true,
            "`true`: the proxy gets the names of hosts instead of their addresses, so that [only the proxy](../reference/fetching.md#proxies-that-resolve-names) can keep media from being fetched from internal hosts."
        ),
    ]
}
