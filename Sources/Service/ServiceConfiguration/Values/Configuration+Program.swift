package import Authentication

extension Configuration {
    /// The destinations of the log, each with its own lowest level.
    package struct Log: Sendable {
        package enum Level: String, Sendable, CaseIterable { case trace, debug, info, notice, warning, error }
        package enum Format: String, Sendable, CaseIterable { case auto, text, json }

        /// Whether lines are written to standard error.
        package var console = true
        /// The lowest level on standard error.
        package var level = Level.info
        /// The format of lines on standard error and in the file. `auto` is text on a terminal and JSON elsewhere.
        package var format = Format.auto
        /// The path of the file; `nil` if no file is written.
        package var file: String?
        /// The lowest level in the file.
        package var fileLevel = Level.info
        /// The size of a file, in bytes, at which the next file begins.
        package var fileBytes = 64 << 20
        /// The maximum number of files, with the one that is written.
        package var fileCount = 5
        /// Whether systemd's journal gets messages.
        package var journal = false
        /// The lowest level in the journal.
        package var journalLevel = Level.info
    }

    /// The limits of the requests that are accepted at a time.
    package struct Requests: Sendable {
        /// The maximum number of requests with media that are processed at a time. The same number limits the media
        /// items that are processed at a time, for all requests together.
        package var inFlight = 1_024
        /// The maximum number of requests that wait for a permit.
        package var queued = 16_384
        /// The maximum size of the body of one HTTP request, in bytes.
        package var bodyBytes = 4 << 20
        /// The maximum size of all large payloads (of more than 256 KiB) together, in bytes. A payload is included from
        /// its arrival to its result.
        package var largeBodyBytes = 64 << 20
        /// The maximum number of unfinished requests of one app group; `nil` if only the other limits apply.
        package var perGroup: Int?
    }

    /// The limits of batches.
    package struct Batches: Sendable {
        /// The maximum size of the body of one batch, in bytes.
        package var maxBytes = 1 << 30
        /// The maximum size of all stored batches with their results, in bytes.
        package var quota = 4 << 30
        /// The maximum size of the results that wait for the clients of running calls, in bytes.
        package var maxScratch = 256 << 20
        /// The time for which the results of an ended batch are kept.
        package var retention: Duration = .days(1)
    }

    /// The limits of named messages.
    package struct Messages: Sendable {
        /// The longest life of a message, which is also the default.
        package var retention: Duration = .days(30)
        /// The maximum size of all messages with their contents, in bytes.
        package var quota = 256 << 20
    }

    /// The servers that get messages about results and receipts.
    package struct Callbacks: Sendable {
        package var targets: [ConfiguredCallbackTarget] = []
        /// The URL under which targets reach the HTTP API; `nil` if links have only a path.
        package var apiURL: BaseURL?
    }

    /// The signed URLs by which devices without a token send receipts.
    package struct Receipts: Sendable {
        /// The URL under which devices reach the daemon; `nil` if results have no signed URLs.
        package var publicURL: BaseURL?
        /// The keys that sign the URLs; `nil` if results have no signed URLs.
        package var signingKeyFile: KeyFile<URLSigningKeys>?
        /// The time for which a URL is valid.
        package var urlLifetime: Duration = .days(7)
    }

    /// The recordings of failed requests.
    package struct Record: Sendable {
        /// The path of the folder; `nil` if nothing is recorded.
        package var folder: String?
        /// The maximum size of all recordings, in bytes.
        package var quota = 100 << 20
    }

    /// The sandbox of the processes that decode media.
    package struct Sandbox: Sendable {
        package enum Requirement: String, Sendable, CaseIterable { case none, filter, all }

        /// The name or number of the user that the workers of a root daemon become.
        package var user = "nobody"
        /// The layers without which no media item is decoded.
        package var require = Requirement.none
    }

    /// The rules and severities of the command `lint`.
    package struct Lint: Sendable {
        package enum FailOn: String, Sendable, CaseIterable { case error, warning, note }

        /// The rules whose findings are left out.
        package var ignore: [String] = []
        /// The lowest severity with which `lint` ends with status 1.
        package var failOn = FailOn.error
    }

    /// The ownership of the files below the root.
    package struct Files: Sendable {
        /// The name or number of the group of users that may read the files; `nil` if the files get the group of the
        /// process.
        package var group: String?
    }
}

extension Duration {
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
