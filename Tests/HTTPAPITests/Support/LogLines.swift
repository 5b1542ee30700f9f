import Base
import Logging
import NotificationModel

/// The recorded log, with one text for each line.
final class LogLines: Sendable {
    private let lines = Guarded<[String]>([])
    private let (reported, teller) = AsyncStream.makeStream(of: String.self)

    var all: [String] { lines.withLock { $0 } }

    /// Returns when a line that contains a text is logged. Only one task may wait.
    func wait(for part: String) async {
        for await line in reported where line.contains(part) { return }
    }

    var handler: Handler { Handler(lines: self) }

    private func add(_ line: String) {
        lines.withLock { $0.append(line) }
        teller.yield(line)
    }

    struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            lines.add("\(event.message) " + fields.joined(separator: " "))
        }
    }
}
