package import Base
package import FeatureKit
import LinuxIO
package import Logging
package import NotificationModel
package import ServiceConfiguration

extension RequestRecorder {
    /// Returns the recorder of a configuration; `nil` if nothing is recorded.
    ///
    /// - Parameter current: Returns the settings of a group in the current configuration.
    /// - Throws: A failure with status 2 if the folder cannot be used.
    package static func open(
        _ configuration: Configuration, _ clock: any RequestClock, _ logger: Logger,
        current: @escaping @Sendable (AppGroupName) -> Configuration
    ) async throws(CommandFailure) -> RequestRecorder? {
        guard let path = configuration.record.folder else { return nil }
        let loop = try CommandFailure.wrapping("the thread of the recorder cannot be started") {
            try EventLoop.start(name: "agd-recorder")
        }
        let recorder = RequestRecorder(
            RecordingFolder(path, quota: configuration.record.quota), on: loop, logger: logger, now: { clock.now },
            settings: { current($0).recordedSettings })
        do throws(SystemError) { try await recorder.open() } catch {
            throw CommandFailure(
                .usage, "--record \(path): \(error.reason): name a folder that this user can write to")
        }
        return recorder
    }
}

extension Configuration {
    /// The keys that a recording keeps, because they decide how a payload is read and which media are shown. None of them
    /// has a secret, and none has a path of this machine.
    static let recordedKeys: Set<String> = [
        "reserve", "dialects", "texts", "fetch.allowAddresses", "fetch.allowHosts", "fetch.denyHosts",
        "fetch.allowPorts", "fetch.schemes", "fetch.connectTimeout", "fetch.firstByteTimeout", "fetch.idleTimeout",
        "fetch.hedgeAfter", "fetch.redirects", "fetch.nameServerTimeout", "media.videoBytes", "media.pictureBytes",
        "media.soundBytes", "media.pixels", "media.decodedBytes", "media.frames", "media.duration",
        "media.jpegQuality", "media.videoSide", "media.damaged", "payloads.unknown", "push.says", "apns.mediaKeys",
        "sendios.baseURL", "comapi.baseURL", "homeassistant.baseURL", "matrix.homeserver",
    ]

    /// The values of these keys that are not defaults.
    var recordedSettings: [(key: String, value: String)] {
        let defaults = Configuration(workers: 1).entries
        return zip(entries, defaults).compactMap { entry, standard in
            guard Self.recordedKeys.contains(entry.key), entry.value != standard.value else { return nil }
            return (entry.key, entry.text)
        }
    }
}
