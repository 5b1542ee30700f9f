import FeatureKit
import HTTPAPI
import LinuxIO
import RequestJournal
import ServiceConfiguration

/// The check of the descriptors that a running daemon uses.
enum DescriptorChecks {
    private static let patience: Duration = .seconds(2)

    /// Asks the daemon of the configured root for its descriptors, by the kinds of their uses.
    static func use(_ configuration: Configuration) async -> Answer {
        guard (try? RequestJournal.holder(of: configuration.root)) != nil else {
            return .ok("no daemon serves this root")
        }
        guard let text = await metrics(of: configuration.socket) else {
            return .warning(
                "the daemon does not show its metrics on \(configuration.socket)",
                remedy: "Run as the user that runs the daemon, or as root.")
        }
        let uses = DescriptorBudget.Kind.allCases.compactMap { kind -> String? in
            guard let used = value("used", of: kind, in: text), let free = value("free", of: kind, in: text) else {
                return nil
            }
            return "\(kind.rawValue) \(used) of \(used + free)"
        }
        return uses.isEmpty ? .ok("the daemon's version does not count them") : .ok(uses.joined(separator: ", "))
    }

    private static func value(_ state: String, of kind: DescriptorBudget.Kind, in text: String) -> Int? {
        let beginning = "appgroupd_descriptors{kind=\"\(kind.rawValue)\",state=\"\(state)\"} "
        let line = text.split(separator: "\n").first { $0.hasPrefix(beginning) }
        return line.flatMap { Double($0.dropFirst(beginning.count)) }.flatMap { Int(exactly: $0) }
    }

    private static func metrics(of socket: String) async -> String? {
        await withTaskGroup(of: String?.self) { group in
            group.addTask {
                let answer = try? await DaemonClient(socketPath: socket).request("GET", "/metrics")
                guard let answer, answer.status == 200 else { return nil }
                return String(decoding: answer.body, as: UTF8.self)
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
