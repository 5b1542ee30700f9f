import FoundationEssentials
import Logging

/// A handler of swift-log that makes one line of each event and passes it to the output.
struct LineLogHandler: LogHandler {
    let label: String
    let layout: LogLayout
    let threshold: LogThreshold
    let output: LogOutput
    var metadataProvider: Logger.MetadataProvider?
    var metadata: Logger.Metadata = [:]
    /// The level that was set for this logger; `nil` if the logger follows the threshold.
    var ownLevel: Logger.Level?

    var logLevel: Logger.Level {
        get { ownLevel ?? threshold.level }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let record = LogRecord(
            date: Date(), level: event.level, label: label, message: event.message.description,
            metadata: metadata(of: event))
        output.write(LogLine.bytes(of: record, layout: layout))
    }

    /// Returns the metadata of an event. Metadata of the event takes precedence over metadata of the provider, which
    /// takes precedence over metadata of the logger.
    private func metadata(of event: LogEvent) -> Logger.Metadata {
        if metadata.isEmpty, metadataProvider == nil, event.error == nil { return event.metadata ?? [:] }
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, new in new } }
        if let said = event.metadata { all.merge(said) { _, new in new } }
        if let error = event.error {
            all["error.message"] = .string("\(error)")
            all["error.type"] = .string(String(reflecting: type(of: error)))
        }
        return all
    }
}
