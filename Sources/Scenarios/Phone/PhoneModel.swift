package import Lab
package import NotificationModel
import Primitives

/// A phone whose notification service extension receives the original payload, as the key `nse` describes it.
package struct PhoneModel: Sendable, Equatable {
    /// The time that iOS gives an extension (Apple, "Modifying content in newly delivered notifications").
    static let standardClock = Duration.seconds(30)
    /// The memory that an extension needs for itself, in bytes. Apple documents no figure.
    private static let ownMemory = 6_000_000

    /// The version of iOS. Extensions exist since iOS 10.
    package var version = 17
    /// The memory at which iOS ends the extension, in bytes: 12, 16 or 24 MB.
    package var memory = 24_000_000
    /// Whether the extension holds the whole download in its memory, and not in a file.
    package var holdsDownload = false
    /// The time after which the extension is ended; at most 30 s.
    package var clock = standardClock
    /// Whether Low Data Mode is on, and the extension respects it.
    package var isLowData = false
    /// Whether the app has an exception of App Transport Security for plain http.
    package var allowsPlainHTTP = false

    package init() {}

    /// The notification that a phone shows, and its time.
    package struct Shown: Sendable, Equatable {
        /// Whether a media item is shown, and not the text alone.
        package var isMedia: Bool
        /// The time from the arrival of the push until the notification is shown, in seconds.
        package var seconds: Double
        /// The reason why the text alone is shown; `nil` if a media item is shown.
        package var why: String?
    }

    /// Judges the original payload: the phone runs its extension, and downloads the first media item itself.
    ///
    /// The time of its download is that of the daemon's, because both meet the same origin and network.
    package func alone(_ notification: ProcessedNotification) -> Shown {
        func text(_ why: String, after seconds: Double = 0) -> Shown {
            Shown(isMedia: false, seconds: seconds, why: why)
        }
        guard version >= 10 else { return text("service extensions exist since iOS 10") }
        if notification.phone.wouldRunExtension == false {
            return text(notification.phone.why ?? "the extension is not called")
        }
        guard let verdict = notification.verdicts.first else { return text("the payload has no media") }
        if let obstacle = verdict.phoneObstacle, !allowsPlainHTTP { return text(obstacle) }
        if isLowData { return text("Low Data Mode is on") }
        let limit = min(clock, Self.standardClock).seconds
        let download = Self.download(verdict)
        if let failure = verdict.failure, verdict.unError == nil || verdict.sourceType == nil {
            let isLate = failure.reason == .budgetExceeded
            return isLate
                ? text("the extension is ended before the download", after: limit)
                : text("\(failure.reason.rawValue): \(failure.detail)", after: min(download, limit))
        }
        let bytes = verdict.transfers.reduce(0) { $0 + $1.bodyBytes }
        if holdsDownload, bytes + Self.ownMemory > memory {
            return text(
                "iOS ends the extension at \(Shown.size(memory)): the file has \(Shown.size(bytes))", after: download)
        }
        if let error = verdict.unError {
            return text(
                "UNError \(error.rawValue): \(verdict.sourceType ?? "an unknown type")", after: min(download, limit))
        }
        return download > limit
            ? text("the extension is ended before the download", after: limit)
            : Shown(isMedia: true, seconds: download, why: nil)
    }

    /// Judges the processed content: the phone downloads the rendition over the same network, from a connection that it
    /// must open.
    package func withContent(_ notification: ProcessedNotification, over link: LinkShape?) -> Shown {
        guard let attachment = notification.attachments.first else {
            return Shown(isMedia: false, seconds: 0, why: notification.reason?.rawValue ?? "the result has no media")
        }
        // The handshakes of TCP and TLS 1.3, and the request, take a round trip each.
        let trips = (link?.latency ?? .zero).seconds * 3
        let transfer = link?.bytesPerSecond.map { Double(attachment.asset.info.byteCount) / Double($0) } ?? 0
        let seconds = trips + transfer
        return seconds <= min(clock, Self.standardClock).seconds
            ? Shown(isMedia: true, seconds: seconds, why: nil)
            : Shown(isMedia: false, seconds: clock.seconds, why: "the extension is ended before the download")
    }

    /// The time of the stages that download a media item, in seconds.
    private static func download(_ verdict: Verdict) -> Double {
        let stages: Set<StageName> = [.dns, .connect, .tls, .wait, .body]
        return verdict.stages.filter { stages.contains($0.name) }.reduce(0) { $0 + $1.duration.seconds }
    }
}

extension PhoneModel.Shown {
    fileprivate static func size(_ bytes: Int) -> String { "\((Double(bytes) / 1e5).rounded() / 10) MB" }

    /// The shown content in a word, as expectations name it.
    package var word: String { isMedia ? "media" : "text" }

    /// The shown content, and its time or the reason, for people.
    package var sentence: String {
        isMedia ? "media after \(ShownNumber.time(seconds))" : "text (\(why ?? "no media"))"
    }
}

/// The expected judgements of a phone.
package struct PhoneExpectation: Sendable {
    /// `media` or `text`, for the original payload.
    package var alone: Placed<String>?
    /// `media` or `text`, for the processed content.
    package var with: Placed<String>?
    /// The seconds by which the processed content is shown earlier.
    package var saved: Placed<Measure>?
}
