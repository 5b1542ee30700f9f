package import Base
package import LinuxIO
package import Logging
import NIOSSL

/// The certificate of the server, which follows its files. A connection keeps the certificate with which it began.
package final class ServerCertificate: Sendable {
    /// The time between two readings of the files.
    private static let interval: Duration = .seconds(60)

    private let files: CertificateFiles
    private let thread: EventLoop
    private let current: Guarded<NIOSSLContext>
    private let clock: any RequestClock
    private let logger: Logger

    /// Reads the files, so that a daemon with unusable files does not start.
    ///
    /// - Parameter thread: The thread on which the files are read every minute.
    package init(
        _ files: CertificateFiles, on thread: EventLoop, clock: any RequestClock, logger: Logger
    ) throws(CertificateFiles.Unusable) {
        current = Guarded(try files.context())
        self.files = files
        self.thread = thread
        self.clock = clock
        self.logger = logger
    }

    var context: NIOSSLContext { current.withLock(\.self) }

    /// Reads the files again. If they cannot be used, the old certificate stays in use. The function blocks on the file
    /// system.
    package func refresh() {
        do throws(CertificateFiles.Unusable) {
            let context = try files.context()
            current.withLock { $0 = context }
        } catch {
            logger.error("the old certificate stays in use: \(error)")
        }
    }

    /// Reads the files every minute, until the task is cancelled.
    func follow() async {
        while !Task.isCancelled {
            await clock.sleep(until: clock.now.advanced(by: Self.interval))
            if !Task.isCancelled { await thread.perform { [self] in refresh() } }
        }
    }
}
