import ArgumentParser
import FoundationEssentials
import NotificationModel
import NotificationProcessor
import ServiceConfiguration
import Warming

extension WarmFormat: ExpressibleByArgument {}

/// A time to keep renditions: a duration from now, or a date.
enum KeepTime {
    /// Returns the date that a text means at a time; `nil` if it means none.
    static func date(_ text: String, at now: Date) -> Date? {
        if let duration = DurationText.parse(text) { return now.addingTimeInterval(duration.seconds) }
        return Timestamp.parse(text) ?? Timestamp.parse("\(text)T00:00:00Z")
    }

    /// Checks the value of `--keep`.
    static func validate(_ text: String, at now: Date) throws(ValidationError) {
        guard let date = date(text, at: now) else {
            throw ValidationError("--keep \(text): it must be a duration as 14d, or a date as 2026-01-31.")
        }
        guard date > now else { throw ValidationError("--keep \(text): it must be in the future.") }
    }
}

/// How many items may fail before the status is 1.
enum FailureTolerance: Equatable, ExpressibleByArgument, CustomStringConvertible {
    case items(Int)
    case percent(Double)

    init?(argument text: String) {
        if text.hasSuffix("%") {
            guard let percent = Double(text.dropLast()), (0...100).contains(percent) else { return nil }
            self = .percent(percent)
        } else {
            guard let count = Int(text), count >= 0 else { return nil }
            self = .items(count)
        }
    }

    var description: String {
        switch self {
        case .items(let most): "\(most)"
        case .percent(let percent): "\(percent)%"
        }
    }

    func isExceeded(by failed: Int, of items: Int) -> Bool {
        switch self {
        case .items(let most): failed > most
        case .percent(let percent): Double(failed) * 100 > percent * Double(items)
        }
    }
}

/// How `warm` says how far it is.
enum ProgressMode: String, ExpressibleByArgument, CaseIterable {
    case bar
    case plain
    case json
    case none
}

/// The limits of a batch, as flags.
struct WarmLimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Items at a time, in all: 1 to 1000.", valueName: "count"), transform: Self.count)
    var concurrency = 32

    @Option(help: ArgumentHelp("Items at a time for each host: 1 to 1000.", valueName: "count"), transform: Self.count)
    var perHost = 8

    @Option(help: ArgumentHelp("Items a second for each host; as many as can be unless given.", valueName: "number"))
    var rate: Double?

    @Option(
        help: ArgumentHelp("The largest source file: 50MB, 40MiB or 1000; the limits of media.* if smaller."),
        transform: Self.byteCount)
    var maxBytes: Int?

    func validate() throws {
        if let rate, !(rate > 0 && rate <= 10_000) {
            throw ValidationError("--rate \(rate): it must be a number greater than 0, at most 10000.")
        }
    }

    /// - Parameter most: The most items at a time that the open files permit.
    func limits(most: Int) -> WarmSchedule.Limits {
        var limits = WarmSchedule.Limits()
        limits.concurrency = min(concurrency, most)
        limits.perHost = perHost
        limits.rate = rate
        return limits
    }

    /// Gives each item that runs its connection, and no source more bytes than are permitted.
    ///
    /// - Parameter most: The most transfers at a time that the open files permit.
    func apply(to configuration: inout Configuration, most: Int) {
        configuration.fetch.connections = min(most, max(configuration.fetch.connections, concurrency))
        configuration.fetch.connectionsPerHost = max(configuration.fetch.connectionsPerHost, perHost)
        guard let maxBytes else { return }
        configuration.media.pictureBytes = min(configuration.media.pictureBytes, maxBytes)
        configuration.media.soundBytes = min(configuration.media.soundBytes, maxBytes)
        configuration.media.videoBytes = min(configuration.media.videoBytes, maxBytes)
    }

    private static func count(_ text: String) throws -> Int {
        guard let count = Int(text), (1...1_000).contains(count) else {
            throw ValidationError("it must be a whole number from 1 to 1000.")
        }
        return count
    }

    private static func byteCount(_ text: String) throws -> Int {
        guard let count = ByteCountText.parse(text), count > 0 else {
            throw ValidationError("it must be a number of bytes, as 50MB, 40MiB or 1000.")
        }
        return count
    }
}
