import Authentication
package import FeatureKit
package import HTTPAPI
import LinuxIO
import NotificationModel
package import ServiceConfiguration

/// The downloads of renditions by phones.
package struct DownloadsFeature: Feature {
    private let media: MediaServing
    /// The thread that reads renditions.
    private let thread: EventLoop

    package init(_ core: DaemonCore, after earlier: [any Feature]) throws(CommandFailure) {
        let configuration = core.configuration
        thread = try CommandFailure.wrapping("the thread for downloads cannot be started") {
            try EventLoop.start(name: "agd-media")
        }
        media = MediaServing(
            files: MediaFiles(root: configuration.root, on: thread.tasks), clock: core.clock,
            urls: PerGroup(configuration) { MediaURLs($0) }, accelRedirect: configuration.media.accelRedirect)
    }

    package func routes(_ context: CallContext) -> [RouteGroup] {
        [RouteGroup(.media, MediaRoutes(media: media).routes)]
    }

    package func change(_ configuration: Configuration) { media.change(PerGroup(configuration) { MediaURLs($0) }) }

    package func forgetFiles() { media.forget() }

    package func shutdown() { thread.shutdown() }
}
