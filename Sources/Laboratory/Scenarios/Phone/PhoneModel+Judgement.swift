import Base
package import Lab
package import NotificationModel
import NotificationProcessor

extension PhoneModel {
    /// The memory that an extension needs for itself, in bytes. Apple documents no figure.
    private static let ownMemory = 6_000_000

    /// Judges the original payload: the phone downloads the first media item itself.
    ///
    /// The time of its download is that of the daemon's, because both meet the same origin and network.
    package func alone(_ notification: ProcessedNotification) -> Shown {
        if let obstacle = obstacle(to: notification) { return .text(obstacle) }
        guard let verdict = notification.verdicts.first else { return .text("the payload has no media") }
        if !allowsPlainHTTP, let obstacle = plainHTTPObstacle(to: verdict) { return .text(obstacle) }
        let seconds = Self.download(verdict)
        let bytes = notification.sourceByteCount(of: verdict)
        if let failure = verdict.failure, verdict.unError == nil || verdict.sourceType == nil {
            return failure.reason == .budgetExceeded
                ? .text(system.lateness, after: limit.seconds)
                : .text("\(failure.reason.rawValue): \(failure.detail)", after: min(seconds, limit.seconds))
        }
        if let ending = memoryEnding(bytes: bytes, seconds: seconds) {
            return .text(ending, after: min(seconds, limit.seconds))
        }
        return shown(after: seconds, unless: refusal(of: verdict, bytes: bytes))
    }

    /// Judges the processed content: the phone downloads the rendition over the same network, from a connection that it
    /// must open.
    package func withContent(_ notification: ProcessedNotification, over link: LinkShape?) -> Shown {
        if let obstacle = obstacle(to: notification) { return .text(obstacle) }
        guard let attachment = notification.attachments.first(where: { !$0.isAside }) else {
            return .text(notification.reason?.rawValue ?? "the result has no media")
        }
        let bytes = attachment.asset.info.byteCount
        // The handshakes of TCP and TLS 1.3, and the request, take a round trip each.
        let trips = (link?.latency ?? .zero).seconds * 3
        let seconds = trips + (link?.bytesPerSecond.map { Double(bytes) / Double($0) } ?? 0)
        if let ending = memoryEnding(bytes: bytes, seconds: seconds) {
            return .text(ending, after: min(seconds, limit.seconds))
        }
        return shown(after: seconds, unless: nil)
    }

    /// Returns the obstacle for which the phone does not download anything; `nil` without an obstacle. Forwarded payloads
    /// keep the flags of the original ones.
    private func obstacle(to notification: ProcessedNotification) -> String? {
        if let absence = system.absence { return absence }
        switch system.family {
        case .ios:
            if notification.phone.wouldRunExtension == false {
                return notification.phone.why ?? "the extension is not called"
            }
        case .android:
            if notification.userInfo["aps"] != nil { return "an Android phone receives no payload for APNs" }
        }
        guard isLowData, let name = system.lowDataName else { return nil }
        return "\(name) is on"
    }

    private func plainHTTPObstacle(to verdict: Verdict) -> String? {
        if system.family == .ios, let obstacle = verdict.phoneObstacle { return obstacle }
        return verdict.url.lowercased().hasPrefix("http://") ? system.plainHTTPObstacle : nil
    }

    /// Returns the sentence about an extension that needs too much memory; `nil` if it needs less.
    private func memoryEnding(bytes: Int, seconds: Double) -> String? {
        guard system.family == .ios, holdsDownload else { return nil }
        let downloads = isOverlapping(seconds) ? 2 : 1
        guard bytes * downloads + Self.ownMemory > memory else { return nil }
        let files = downloads == 1 ? "the file has" : "each of two files at a time has"
        return "iOS ends the extension at \(Self.size(memory)): \(files) \(Self.size(bytes))"
    }

    /// Returns the reason why the system does not show a file; `nil` if it shows the file.
    private func refusal(of verdict: Verdict, bytes: Int) -> String? {
        let format = verdict.sourceType.flatMap { MediaFormat.named(mimeType: $0) }
        let type = verdict.sourceType ?? "an unknown type"
        switch system.family {
        case .ios:
            let code = PhoneRefusal.code(sourceType: verdict.sourceType, byteCount: bytes)
            guard let error = verdict.unError ?? code else { return nil }
            if converts, error == .attachmentUnrecognizedType, let format, format.kind == .image {
                return system.decodes(format) ? nil : "\(system) does not decode \(type)"
            }
            return "UNError \(error.rawValue): \(type)"
        case .android:
            guard let format, format.kind == .image else { return "Android shows no \(type) in a notification" }
            guard system.decodes(format) else { return "\(system) does not decode \(type)" }
            guard bytes <= PhoneSystem.largestAndroidPicture else {
                return "the picture has \(bytes) bytes: at most \(PhoneSystem.largestAndroidPicture) are shown"
            }
            return verdict.unError == .attachmentCorrupt ? "the picture is damaged" : nil
        }
    }

    /// Returns the notification after a download, if neither the clock nor a second call prevents it.
    private func shown(after seconds: Double, unless refusal: String?) -> Shown {
        if seconds > limit.seconds { return .text(system.lateness, after: limit.seconds) }
        if isOverlapping(seconds), secondCall?.sharesState == true {
            return .text("the second call has replaced the content handler of the first", after: limit.seconds)
        }
        return refusal.map { .text($0, after: seconds) } ?? .media(after: seconds)
    }

    /// Returns whether the second call begins before the download of the first one ends.
    private func isOverlapping(_ seconds: Double) -> Bool {
        system.family == .ios && secondCall.map { $0.delay.seconds < seconds } ?? false
    }

    /// The time of the stages that download a media item, in seconds.
    private static func download(_ verdict: Verdict) -> Double {
        let stages: Set<StageName> = [.dns, .connect, .tls, .wait, .body]
        return verdict.stages.filter { stages.contains($0.name) }.reduce(0) { $0 + $1.duration.seconds }
    }

    private static func size(_ bytes: Int) -> String { "\((Double(bytes) / 1e5).rounded() / 10) MB" }
}

extension ProcessedNotification {
    /// The size of the file of a verdict, in bytes: exact if the file is shown, else with all its repeated parts.
    fileprivate func sourceByteCount(of verdict: Verdict) -> Int {
        attachments.first { $0.identifier == verdict.identifier }?.sourceByteCount
            ?? verdict.transfers.reduce(0) { $0 + $1.bodyBytes }
    }
}
