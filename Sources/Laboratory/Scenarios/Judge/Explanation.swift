import Base
import NotificationModel

/// The explanation of a result in a few words: the first media item that is missing, and the stage that took its time.
struct Explanation {
    private let notification: ProcessedNotification

    init(_ notification: ProcessedNotification) { self.notification = notification }

    static func quoted(_ text: String) -> String {
        JSONWriter.text(of: .string(text.count > 80 ? text.prefix(80) + "…" : text))
    }

    /// The first verdict with a failure, or with a reduction.
    private var missing: Verdict? {
        notification.verdicts.first { $0.failure != nil } ?? notification.verdicts.first { $0.reduction != nil }
    }

    /// The reason and the explanation in parentheses, after a blank; empty if the result is complete.
    var parenthesis: String {
        guard let reason = notification.reason else { return "" }
        return " (\(reason.rawValue)\(sentence.map { ": \($0)" } ?? ""))"
    }

    /// A sentence about the media item that is missing; `nil` if none is missing.
    var sentence: String? {
        guard let verdict = missing else { return notification.problem }
        if verdict.failure?.reason == .budgetExceeded, let slowest = Self.slowest(verdict) { return slowest }
        let detail = verdict.failure?.detail ?? verdict.reduction?.detail
        return detail.map { "\(verdict.identifier): \($0)" }
    }

    /// A sentence about the longest stage of all media items; `nil` without stages.
    var slowest: String? {
        notification.verdicts.max { Self.longest($0)?.duration ?? .zero < Self.longest($1)?.duration ?? .zero }
            .flatMap(Self.slowest)
    }

    private static func longest(_ verdict: Verdict) -> Stage? { verdict.stages.max { $0.duration < $1.duration } }

    private static func slowest(_ verdict: Verdict) -> String? {
        guard let stage = longest(verdict) else { return nil }
        let time = ShownNumber.time(stage.duration.seconds)
        let name = verdict.identifier
        switch stage.name {
        case .queue: return "\(name) waited \(time) for its turn"
        case .dns: return "\(name) waited \(time) for the address of its host"
        case .connect: return "\(name) waited \(time) for a connection"
        case .tls: return "\(name) waited \(time) for the TLS handshake"
        case .wait: return "\(name) waited \(time) for its first byte"
        case .body:
            let bytes = verdict.transfers.last.map { " of \(ShownNumber.size(Double($0.wireBytes)))" } ?? ""
            return "\(name) received its body\(bytes) for \(time)"
        case .inspect, .transcode, .decode, .scale, .encode: return "\(name) was converted for \(time)"
        case .store: return "\(name) was stored for \(time)"
        }
    }

    /// Returns a change that would lead to an outcome; `nil` if none is known.
    func advice(for outcome: Outcome) -> String? {
        guard outcome == .rich || outcome == .partial || outcome == .prefetched else {
            return notification.outcome == .rich ? "no fault kept the media away: check the paths of origin" : nil
        }
        switch notification.reason {
        case .budgetExceeded:
            return
                "raise budget (it was \(ShownNumber.time(notification.timing.budget.seconds))), or make the origin faster"
        case .httpStatus: return "list the path in origin, or change its fault"
        case .wifiOnly: return "write network: wifi, or permissions: {wifiOnly: false}"
        case .downloadNotPermitted, .serviceNotPermitted: return "change permissions"
        case .dnsFailed, .connectFailed: return "change hosts, or the URL of the payload"
        case .tlsFailed: return "change certificate of the host"
        case .unsupportedMedia, .corruptMedia: return "name another file in origin"
        case .expired: return "set now before the expiry of the message"
        default: return nil
        }
    }
}
