import FoundationEssentials
import Logging

/// A handler of swift-log that makes one line of each event and passes it to the destinations whose level permits it.
struct LineLogHandler: LogHandler {
    let label: String
    let destinations: [LogDestination]
    var metadataProvider: Logger.MetadataProvider?
    var metadata: Logger.Metadata = [:]
    /// The level that was set for this logger, for all destinations; `nil` if the logger follows their levels.
    var ownLevel: Logger.Level?

    /// The level below which no destination takes an event.
    var logLevel: Logger.Level {
        get {
            if let ownLevel { return ownLevel }
            var lowest = Logger.Level.critical
            for destination in destinations { lowest = min(lowest, destination.threshold.level) }
            return lowest
        }
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
        var last: (layout: LogLayout, line: [UInt8])?
        for destination in destinations where ownLevel != nil || event.level >= destination.threshold.level {
            // Destinations with one layout share the line.
            let line: [UInt8]
            if let last, last.layout == destination.layout {
                line = last.line
            } else {
                line = LogLine.bytes(of: record, layout: destination.layout)
            }
            last = (destination.layout, line)
            destination.output.write(line)
        }
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
