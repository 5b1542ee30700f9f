import COpenSSL
import LinuxIO
import NotificationModel

/// The file of certificates that origins are judged by, read once for all hosts on all threads: by itself libcurl 7.88
/// reads it for each multi handle, which are many, 30 ms and 0.7 MB for a system's 140.
///
/// Whoever asks has it looked at, once a second at most. What has come under its name, and is still the same at the next
/// look, is read; where that fails, those certificates go on to count that were read before.
final class TrustedCertificates: Sendable {
    /// From one look to the next.
    static let lookTime = Duration.seconds(1)
    /// Of a file: a system's has 0.2 MB.
    private static let mostBytes = 16 << 20

    private struct Known {
        let file: String
        /// What was read to its end, well or not; `nil`: nothing was.
        let reading: FileStatus?
        let result: Result<CertificateStore, MediaFailure>
        /// The last complaint, until something could be read.
        let complaint: String?
        /// At the last look.
        var seen: FileStatus?
        var nextLook: MonotonicInstant
    }

    private let now: @Sendable () -> MonotonicInstant
    private let complain: @Sendable (String) -> Void
    private let guarded = Guarded<Known?>(nil)
    private let readings = Guarded(0)

    /// libcurl's TLS is the OpenSSL of this process: what it makes for its connections is what this can set up.
    let canBeHandedOver: Bool

    /// - Parameters:
    ///   - tls: of libcurl. To tell, it asks each of its libraries: best done at the start.
    ///   - complain: told in a sentence that a file which replaces another cannot be read.
    init(
        tls: String? = CurlLibrary.description?.tls, now: @escaping @Sendable () -> MonotonicInstant = { .now },
        complain: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let version = unsafe OpenSSL_version(OPENSSL_VERSION_STRING).map { unsafe String(cString: $0) }
        canBeHandedOver = version.map { tls == "OpenSSL/\($0)" } ?? false
        self.now = now
        self.complain = complain
    }

    /// - Parameter file: PEM.
    /// - Throws: `tls-failed` where no certificates can be read, nor could before.
    func store(of file: String) throws(MediaFailure) -> CertificateStore {
        let now = now()
        let (known, isDue) = guarded.withLock { known in
            guard known?.file == file, let before = known else { return (Known?.none, true) }
            let isDue = now >= before.nextLook
            // Who comes meanwhile goes on with what there is.
            if isDue { known?.nextLook = now + Self.lookTime }
            return (before, isDue)
        }
        guard let known else { return try read(file, insteadOf: nil, now).get() }
        if isDue {
            let status = try? FileSystem.look(through: file)
            // It may still be written to.
            let isSettled = status == known.seen
            if isSettled, status != known.reading { return try read(file, insteadOf: known, now).get() }
            guarded.withLock { if $0?.file == file { $0?.seen = status } }
        }
        return try known.result.get()
    }

    private func read(
        _ file: String, insteadOf known: Known?, _ now: MonotonicInstant
    ) -> Result<CertificateStore, MediaFailure> {
        let status = try? FileSystem.look(through: file)
        var reading = status
        var result: Result<CertificateStore, MediaFailure>
        do throws(SystemError) {
            let store = CertificateStore(pem: try text(of: file), name: "\(file) \(nextNumber())")
            result = store.map { .success($0) } ?? Self.unreadable(file, "it has none, or one that is broken")
        } catch {
            // Another time it may go well.
            reading = nil
            result = Self.unreadable(file, error.reason)
        }
        var complaint: String?
        if case .failure(let failure) = result, let before = known?.result, case .success = before {
            complaint = "\(failure.detail); those that were read before go on to count"
            result = before
        }
        if let complaint, complaint != known?.complaint { complain(complaint) }
        let next = Known(
            file: file, reading: reading, result: result, complaint: complaint, seen: status,
            nextLook: now + Self.lookTime)
        return guarded.withLock { current in
            // Another one has begun without any, too, and was faster.
            if known == nil, let current, current.file == file { return current.result }
            current = next
            return next.result
        }
    }

    private func text(of file: String) throws(SystemError) -> [UInt8] {
        let status = try FileSystem.look(through: file)
        // To open another kind of file may take for ever.
        guard status.kind == .regular, status.byteCount <= Self.mostBytes else { return [] }
        return try FileSystem.contents(of: file)
    }

    private func nextNumber() -> Int {
        readings.withLock { readings in
            readings += 1
            return readings
        }
    }

    private static func unreadable(_ file: String, _ why: String) -> Result<CertificateStore, MediaFailure> {
        .failure(MediaFailure(.tlsFailed, "no certificates can be read from \(file) (fetch.caFile): \(why)"))
    }
}
