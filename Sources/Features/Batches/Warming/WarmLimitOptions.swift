import ArgumentParser
import Base
import FeatureKit
import LinuxIO
import NotificationModel
import ServiceConfiguration

/// The flags for the limits of a batch.
struct WarmLimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The largest number of items at a time, from 1 to 1000. Default: 32.", valueName: "count"),
        transform: Self.count)
    var concurrency = 32

    @Option(
        help: ArgumentHelp(
            "The largest number of items at a time for each host, from 1 to 1000. Default: 8.", valueName: "count"),
        transform: Self.count)
    var perHost = 8

    @Option(
        help: ArgumentHelp(
            "The largest number of items a second for each host. Default: no limit.", valueName: "number"))
    var rate: Double?

    @Option(
        help: ArgumentHelp(
            "The largest size of a media file, such as 50MB, 40MiB or 1000. The limits of media.* still apply."),
        transform: Self.byteCount)
    var maxBytes: Int?

    func validate() throws {
        if let rate, !(rate > 0 && rate <= 10_000) {
            throw ValidationError("--rate \(rate): it must be a number greater than 0 and at most 10000.")
        }
    }

    /// Returns the limits of the schedule. The open files permit at most `most` items at a time.
    func limits(most: Int) -> WarmSchedule.Limits {
        var limits = WarmSchedule.Limits()
        limits.concurrency = min(concurrency, most)
        limits.perHost = perHost
        limits.rate = rate
        return limits
    }

    /// Raises the limits of connections, so that each running item has a connection, but at most to the number of
    /// transfers that the open files permit. Lowers the maximum sizes of media to `--max-bytes`.
    func apply(to configuration: inout Configuration, most: Int) {
        var limits = configuration.fetch.limits
        limits.connections = min(most, max(limits.connections, concurrency))
        limits.connectionsPerHost = max(limits.connectionsPerHost, perHost)
        if let maxBytes {
            limits.imageBytes = min(limits.imageBytes, maxBytes)
            limits.soundBytes = min(limits.soundBytes, maxBytes)
            limits.videoBytes = min(limits.videoBytes, maxBytes)
        }
        configuration.fetch.limits = limits
    }

    /// Prints a notice if fewer items run at a time than `--concurrency` permits.
    ///
    /// - Parameter most: The maximum number of items at a time that the open files permit.
    /// - Parameter least: The number of open files that the command needs without any item.
    /// - Throws: A failure with status 1 if the limit of open files is lower than `least`.
    func checkOpenFiles(most: Int, least: Int) throws(CommandFailure) {
        let openFiles = ResourceLimits.openFiles
        guard openFiles >= least else {
            throw CommandFailure(
                .failed, "the limit is \(openFiles) open files, and \(least) are needed: raise ulimit -n")
        }
        guard concurrency > most else { return }
        let items = "\(HumanText.counted(most, "item")) at a time in place of \(concurrency)"
        StandardStreams.notice(
            "appgroupd: \(items), because \(openFiles) open files are allowed: raise ulimit -n for more")
    }

    private static func count(_ text: String) throws -> Int {
        let count = Int(text).flatMap { (1...1_000).contains($0) ? $0 : nil }
        return try ValidationError.required(count, "a whole number from 1 to 1000")
    }

    private static func byteCount(_ text: String) throws -> Int {
        let count = ByteCountText.parse(text).flatMap { $0 > 0 ? $0 : nil }
        return try ValidationError.required(count, "a number of bytes, such as 50MB, 40MiB or 1000")
    }
}
