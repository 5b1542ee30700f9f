import COpenSSL
import Digests
import FoundationEssentials
import LinuxIO
import NotificationModel
import Synchronization

/// The files of certificates that origins are judged by, each read once for all hosts on all threads: by itself libcurl
/// 7.88 reads it for each multi handle, which are many, 30 ms and 0.7 MB for a system's 140.
///
/// Whoever asks has the file looked at, once a second at most. What has come under its name is read when it has not changed
/// for a second; where that fails, those certificates go on to count that were read before.
final class CAStoreCache: Sendable {
    /// From one look to the next, and how long a file is to rest before it is read.
    static let checkInterval = Duration.seconds(1)
    /// Sets of files of which the certificates are kept: the set of all hosts, those of single hosts, and earlier ones for
    /// transfers that began with them. The least recently used set is evicted.
    static let mostSets = 128

    /// The state of a set of files.
    private struct Known {
        /// What was read to its end, well or not; `nil`: nothing was.
        let reading: [FileStatus?]?
        let result: Result<X509Store, MediaFailure>
        /// The last complaint, until something could be read.
        let complaint: String?
        /// At the last look.
        var seen: [FileStatus?]
        var nextCheck: MonotonicInstant
    }

    private let now: @Sendable () -> MonotonicInstant
    private let date: @Sendable () -> Date
    private let complain: @Sendable (String) -> Void
    private let files = Guarded<[[String]: Known]>([:])
    private let readings = Atomic(0)

    /// libcurl's TLS is the OpenSSL of this process: what it makes for its connections is what this can set up.
    let canBeHandedOver: Bool

    /// - Parameters:
    ///   - tls: of libcurl. To tell, it asks each of its libraries: best done at the start.
    ///   - complain: told in a sentence that a file cannot be read.
    init(
        tls: String? = CurlLibrary.description?.tls, now: @escaping @Sendable () -> MonotonicInstant = { .now },
        date: @escaping @Sendable () -> Date = { .now }, complain: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let version = unsafe OpenSSL_version(OPENSSL_VERSION_STRING).map { unsafe String(cString: $0) }
        canBeHandedOver = version.map { tls == "OpenSSL/\($0)" } ?? false
        self.now = now
        self.date = date
        self.complain = complain
    }

    /// - Parameter file: PEM.
    /// - Throws: `tls-failed` where no certificates can be read, nor could before.
    func store(of file: String) throws(MediaFailure) -> X509Store { try store(of: [file]) }

    /// The certificates of several files together.
    ///
    /// - Parameter set: PEM; the first is that of all hosts.
    /// - Throws: `tls-failed` when one of them has no certificates that can be read, nor had before.
    func store(of set: [String]) throws(MediaFailure) -> X509Store {
        let now = now()
        let (known, isDue) = files.withLock { files in
            guard let known = files[set] else { return (Known?.none, true) }
            let isDue = now >= known.nextCheck
            // Who comes meanwhile goes on with what there is.
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

    /// A file that changed within the last look time may still be written to.
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
                    // Another time it may go well.
                    throw Self.unreadable(file, index, error.reason)
                }
            }
            reading = status
            result = .success(try certificates(in: texts, of: set, known))
        } catch {
            result = .failure(error)
        }
        var complaint: String?
        if case .failure(let failure) = result {
            complaint = failure.detail
            if let before = known?.result, case .success = before {
                complaint = "\(failure.detail); the certificates that were read before stay in use"
                result = before
            }
        }
        if let complaint, complaint != known?.complaint { complain(complaint) }
        let next = Known(
            reading: reading, result: result, complaint: complaint, seen: status, nextCheck: now + Self.checkInterval)
        return files.withLock { files in
            // Another one has begun without any, too, and was faster.
            if known == nil, let first = files[set] { return first.result }
            if files[set] == nil, files.count == Self.mostSets {
                let unused = files.min { $0.value.nextCheck < $1.value.nextCheck }
                if let unused { files[unused.key] = nil }
            }
            files[set] = next
            return next.result
        }
    }

    /// The same text is the same store: who is connected need not prove himself anew.
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
