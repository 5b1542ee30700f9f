import Base
import COpenSSL
import Digests
import FoundationEssentials
import LinuxIO
import NotificationModel
import Synchronization

/// The cache of the certificate files with which origins are verified. Each set of files is read once for all hosts and
/// all threads. libcurl 7.88 itself would read them for each multi handle. For the 140 certificates of a system, that
/// takes 30 ms and 0.7 MB.
///
/// A look-up checks the files for changes at most once a second. A changed file is read after it has been unchanged for
/// one second. If it cannot be read, the certificates that were read before remain in use.
final class CAStoreCache: Sendable {
    /// The interval between two checks, and the time for which a file must be unchanged before it is read.
    static let checkInterval = Duration.seconds(1)
    /// The maximum number of file sets in the cache. These are the set of all hosts, the sets of single hosts, and
    /// earlier sets of transfers that still run. The least recently used set is evicted.
    static let maxSets = 128

    /// The state of a set of files.
    private struct Known {
        /// The statuses of the files that were read, with or without usable certificates; `nil` if a file could not be
        /// read.
        let reading: [FileStatus?]?
        let result: Result<X509Store, MediaFailure>
        /// The last reported problem; `nil` after a successful read.
        let warning: String?
        /// The statuses of the files at the last check.
        var seen: [FileStatus?]
        var nextCheck: MonotonicInstant
    }

    private let now: @Sendable () -> MonotonicInstant
    private let date: @Sendable () -> Date
    private let warn: @Sendable (String) -> Void
    private let files = Guarded<[[String]: Known]>([:])
    private let readings = Atomic(0)

    /// Whether libcurl uses the OpenSSL of this process, so that this cache can configure its connections.
    let canBeHandedOver: Bool

    /// Creates an empty cache. The default value of `tls`, the TLS library of libcurl, is slow to determine, so it is
    /// best read at the start. `warn` receives a sentence about a file that cannot be read.
    init(
        tls: String? = CurlLibrary.description?.tls, now: @escaping @Sendable () -> MonotonicInstant = { .now },
        date: @escaping @Sendable () -> Date = { .now }, warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let version = unsafe OpenSSL_version(OPENSSL_VERSION_STRING).map { unsafe String(cString: $0) }
        canBeHandedOver = version.map { tls == "OpenSSL/\($0)" } ?? false
        self.now = now
        self.date = date
        self.warn = warn
    }

    /// Returns the certificates of PEM files together, the first of which is the file for all hosts. Throws
    /// `tls-failed` if the certificates of a file cannot be read now and could not be read before.
    func store(of set: [String]) throws(MediaFailure) -> X509Store {
        let now = now()
        let (known, isDue) = files.withLock { files in
            guard let known = files[set] else { return (Known?.none, true) }
            let isDue = now >= known.nextCheck
            // Simultaneous look-ups use the known certificates and do not check again.
            if isDue { files[set]?.nextCheck = now + Self.checkInterval }
            return (known, isDue)
        }
        guard let known else { return try read(set, insteadOf: nil, now).get() }
        if isDue {
            let status = set.map { try? FileSystem.look(through: $0) }
            if status != known.reading, hasRested(status, since: known.seen) {
                return try read(set, insteadOf: known, now).get()
            }
            files.withLock { $0[set]?.seen = status }
        }
        return try known.result.get()
    }

    /// Returns whether no file has changed during `checkInterval`. Later changes may still be in progress.
    private func hasRested(_ set: [FileStatus?], since seen: [FileStatus?]) -> Bool {
        zip(set, seen).allSatisfy { status, seen in
            if status == seen { return true }
            guard let status else { return false }
            return status.changeDate.addingTimeInterval(Self.checkInterval.seconds) <= date()
        }
    }

    private func read(
        _ set: [String], insteadOf known: Known?, _ now: MonotonicInstant
    ) -> Result<X509Store, MediaFailure> {
        var (status, reading) = (set.map { _ in FileStatus?.none }, [FileStatus?]?.none)
        var result: Result<X509Store, MediaFailure>
        do throws(MediaFailure) {
            var texts: [[UInt8]] = []
            for (index, file) in set.enumerated() {
                do throws(SystemError) {
                    let found = try FileSystem.look(through: file)
                    status[index] = found
                    texts.append(try CertificateFile.text(of: file, found))
                } catch {
                    // The files are read again at the next check, because the error may be temporary.
                    throw Self.unreadable(file, index, error.reason)
                }
            }
            reading = status
            result = .success(try certificates(in: texts, of: set, known))
        } catch {
            result = .failure(error)
        }
        var warning: String?
        if case .failure(let failure) = result {
            warning = failure.detail
            if let before = known?.result, case .success = before {
                warning = "\(failure.detail); the certificates that were read before stay in use"
                result = before
            }
        }
        if let warning, warning != known?.warning { warn(warning) }
        let next = Known(
            reading: reading, result: result, warning: warning, seen: status, nextCheck: now + Self.checkInterval)
        return files.withLock { files in
            // Another thread has read the same files at the same time, and was faster.
            if known == nil, let first = files[set] { return first.result }
            if files[set] == nil, files.count == Self.maxSets {
                let unused = files.min { $0.value.nextCheck < $1.value.nextCheck }
                if let unused { files[unused.key] = nil }
            }
            files[set] = next
            return next.result
        }
    }

    /// Returns the same store for unchanged certificates, so that connections and TLS sessions can be reused.
    private func certificates(
        in texts: [[UInt8]], of set: [String], _ known: Known?
    ) throws(MediaFailure) -> X509Store {
        let digest = Digests.SHA256.hash(Array(texts.joined(separator: [0])))
        if case .success(let store)? = known?.result, store.digest == digest { return store }
        let number = readings.add(1, ordering: .relaxed).newValue
        let name = "\(set.joined(separator: " and ")) \(number)"
        if let store = X509Store(pems: texts, digest, name: name) { return store }
        let bad = texts.firstIndex { X509Store(pems: [$0], [], name: "") == nil } ?? 0
        throw Self.unreadable(set[bad], bad, CertificateFile.noCertificates)
    }

    private static func unreadable(_ file: String, _ index: Int, _ why: String) -> MediaFailure {
        let key = index == 0 ? "fetch.caFile" : "fetch.hosts"
        return MediaFailure(.tlsFailed, "no certificates can be read from \(file) (\(key)): \(why)")
    }
}
