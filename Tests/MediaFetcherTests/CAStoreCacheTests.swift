import Base
import CCurl
import Foundation
import Glibc
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

struct CAStoreCacheTests {
    private let directory: TemporaryDirectory
    private let clock = ManualClock()
    private let warnings = Record<String>()
    private let certificates: CAStoreCache
    private var file: String { "\(directory.path)/trusted.pem" }

    init() throws {
        directory = try TemporaryDirectory()
        certificates = CAStoreCache(
            now: { [clock] in clock.now }, date: { .distantPast },
            warn: warnings.append)
    }

    private func write(_ text: String, to file: String) throws { try Data(text.utf8).write(to: URL(filePath: file)) }

    /// Returns the store after a change of the file has had the time to take effect.
    private func laterStore() throws -> X509Store {
        clock.advance(by: CAStoreCache.checkInterval)
        _ = try certificates.store(of: [file])
        clock.advance(by: CAStoreCache.checkInterval)
        return try certificates.store(of: [file])
    }

    /// The daemon can use its own stores only if libcurl uses the same OpenSSL.
    @Test func `Debian's libcurl accepts the stores of this process`() { #expect(certificates.canBeHandedOver) }

    /// A libcurl with another TLS library reads the file itself, and does not use the store of this process.
    @Test(arguments: [nil, "GnuTLS/3.7.9", "OpenSSL/1.1.1"])
    func `a libcurl with another TLS library verifies with the same file`(_ tls: String?) throws {
        let (server, unknownKey) = (try ChildServer(isMultiplexed: true), try ChildServer(isMultiplexed: true))
        let share = try #require(CurlShare())
        let kind = CurlEasy.Kind(caFile: server.caFile, isDecoded: true, bufferSize: 16_384)
        let easy = try CurlEasy(kind, share: share, certificates: CAStoreCache(tls: tls), userAgent: "test")
        try easy.trust()
        // These callbacks need a `MultiHandleDriver`, which this test does not create.
        for callback in [CURLOPT_OPENSOCKETFUNCTION, CURLOPT_PREREQFUNCTION, CURLOPT_RESOLVER_START_FUNCTION] {
            #expect(agd_easy_set_pointer(easy.handle, callback, nil) == CURLE_OK)
        }
        #expect(agd_easy_set_header(easy.handle, { _, size, count, _ in size * count }, nil) == CURLE_OK)
        try easy.set(CURLOPT_NOBODY, 1)
        try easy.set(CURLOPT_URL, "https://127.0.0.1:\(server.port)/photo-small.jpg")
        #expect(curl_easy_perform(easy.handle) == CURLE_OK)
        try easy.set(CURLOPT_URL, "https://127.0.0.1:\(unknownKey.port)/photo-small.jpg")
        #expect(curl_easy_perform(easy.handle) == CURLE_PEER_FAILED_VERIFICATION)
    }

    @Test func `an unchanged file is read once`() throws {
        try write(Self.first, to: file)
        let store = try certificates.store(of: [file])
        for _ in 0..<3 { #expect(try laterStore() === store) }
    }

    @Test func `simultaneous requests for a file on many threads get the same store`() async throws {
        try write(Self.first, to: file)
        let stores = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<8 {
                group.addTask { [certificates, file] in ObjectIdentifier(try certificates.store(of: [file])) }
            }
            return try await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
        }
        #expect(stores.count == 1)
    }

    @Test func `a changed file is read after it has been unchanged for a second`() throws {
        try write(Self.first, to: file)
        let store = try certificates.store(of: [file])
        // The second certificate alone is the first half of the final file.
        try write(Self.second, to: file)
        clock.advance(by: CAStoreCache.checkInterval - .nanoseconds(1))
        #expect(try certificates.store(of: [file]) === store)
        clock.advance(by: .nanoseconds(1))
        #expect(try certificates.store(of: [file]) === store)
        try write(Self.second + Self.first, to: file)
        clock.advance(by: CAStoreCache.checkInterval)
        #expect(try certificates.store(of: [file]) === store)
        clock.advance(by: CAStoreCache.checkInterval)
        let next = try certificates.store(of: [file])
        #expect(next !== store)
        #expect(next.name != store.name)
    }

    /// A fetcher that runs once an hour must use the current certificates.
    @Test func `a file that has been unchanged for a second is read at the first check`() throws {
        let date = Date.now + 3_600
        let certificates = CAStoreCache(now: { [clock] in clock.now }, date: { date })
        try write(Self.first, to: file)
        let store = try certificates.store(of: [file])
        try write(Self.first + Self.second, to: file)
        clock.advance(by: CAStoreCache.checkInterval)
        #expect(try certificates.store(of: [file]) !== store)
    }

    @Test func `a file with an unchanged text keeps the same certificate store`() throws {
        try write(Self.first, to: file)
        let store = try certificates.store(of: [file])
        try #require(unlink(file) == 0)
        try write(Self.first, to: file)
        #expect(try laterStore() === store)
    }

    /// A reload has changed the configured file, and running fetches still use the earlier one.
    @Test func `two files that are used in turn are each read once, and a deleted file is still cached`() throws {
        try write(Self.first, to: file)
        let other = "\(directory.path)/other.pem"
        try write(Self.second, to: other)
        let stores = (try certificates.store(of: [file]), try certificates.store(of: [other]))
        try #require(unlink(file) == 0)
        for _ in 0..<3 {
            clock.advance(by: CAStoreCache.checkInterval)
            #expect(try certificates.store(of: [file]) === stores.0)
            #expect(try certificates.store(of: [other]) === stores.1)
        }
    }

    @Test func `a full cache evicts the least recently used set`() throws {
        try write(Self.first, to: file)
        let store = try certificates.store(of: [file])
        clock.advance(by: CAStoreCache.checkInterval)
        for number in 1..<CAStoreCache.maxSets {
            _ = try certificates.store(of: ["\(directory.path)/\(String(repeating: "./", count: number))trusted.pem"])
        }
        // Sets that were last checked at the same instant are equally old, so the first set is used one interval later.
        clock.advance(by: CAStoreCache.checkInterval)
        #expect(try certificates.store(of: [file]) === store)
        let dots = String(repeating: "./", count: CAStoreCache.maxSets)
        for place in ["\(dots)trusted.pem", "\(dots)./trusted.pem"] {
            _ = try certificates.store(of: ["\(directory.path)/\(place)"])
        }
        #expect(try certificates.store(of: [file]) === store)
    }

    @Test func `files of a set are trusted together, and a change of either file is read`() throws {
        try write(Self.first, to: file)
        let other = "\(directory.path)/other.pem"
        try write(Self.second, to: other)
        let store = try certificates.store(of: [file, other])
        #expect(try certificates.store(of: [file]) !== store)
        #expect(try certificates.store(of: [file, other]) === store)
        try write(Self.second + "\n", to: other)
        clock.advance(by: CAStoreCache.checkInterval)
        _ = try certificates.store(of: [file, other])
        clock.advance(by: CAStoreCache.checkInterval)
        #expect(try certificates.store(of: [file, other]) !== store)
    }

    @Test func `a set with an unusable file is refused with the name of that file`() throws {
        try write(Self.first, to: file)
        let other = "\(directory.path)/other.pem"
        try write("no certificate", to: other)
        #expect { try certificates.store(of: [file, other]) } throws: {
            ($0 as? MediaFailure)?.detail.contains("\(other) (fetch.hosts)") == true
        }
    }

    /// Kubernetes updates mounted files in this way.
    @Test func `a symbolic link with a new target is read again`() throws {
        try write(Self.first, to: "\(directory.path)/one")
        try write(Self.second, to: "\(directory.path)/two")
        try #require(symlink("one", file) == 0)
        let store = try certificates.store(of: [file])
        try #require(unlink(file) == 0 && symlink("two", file) == 0)
        #expect(try laterStore() !== store)
    }

    @Test(arguments: ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", nil])
    func `an unreadable file leaves the earlier certificates in use, and is reported once`(_ text: String?) throws {
        try write(Self.first, to: file)
        let store = try certificates.store(of: [file])
        if let text { try write(text, to: file) } else { try #require(unlink(file) == 0) }
        for _ in 0..<3 { #expect(try laterStore() === store) }
        #expect(warnings.elements.count == 1)
        // The new text has another length, because the kernel's clock for changes may be coarse.
        try write(Self.second + "\n", to: file)
        #expect(try laterStore() !== store)
        #expect(warnings.elements.count == 1)
    }

    @Test func `a damaged certificate among valid certificates is reported`() throws {
        try write(Self.first + Self.second.replacing("MII", with: "M!!"), to: file)
        #expect(throws: MediaFailure.self) { try certificates.store(of: [file]) }
    }

    @Test func `another file does not get the certificates of an earlier file`() throws {
        try write(Self.first, to: file)
        _ = try certificates.store(of: [file])
        #expect(throws: MediaFailure.self) { try certificates.store(of: ["\(directory.path)/missing"]) }
    }

    @Test func `an unreadable file is reported once, and can be read later`() throws {
        for _ in 0..<3 {
            #expect(throws: MediaFailure.self) { try certificates.store(of: [file]) }
            clock.advance(by: CAStoreCache.checkInterval)
        }
        #expect(warnings.elements.count == 1)
        try write(Self.first, to: file)
        clock.advance(by: CAStoreCache.checkInterval)
        #expect(throws: MediaFailure.self) { try certificates.store(of: [file]) }
        clock.advance(by: CAStoreCache.checkInterval)
        _ = try certificates.store(of: [file])
    }

    /// The file exists all the time, and cannot be opened once.
    @Test func `a file that the system could not open is read again`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let (file, clock) = ("\(directory.path)/trusted.pem", ManualClock())
            try Data(Self.first.utf8).write(to: URL(filePath: file))
            let certificates = CAStoreCache(now: { clock.now })
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limit = rlimit()
            try #require(getrlimit(resource, &limit) == 0)
            let before = limit.rlim_cur
            limit.rlim_cur = 0
            try #require(setrlimit(resource, &limit) == 0)
            #expect(throws: MediaFailure.self) { try certificates.store(of: [file]) }
            limit.rlim_cur = before
            try #require(setrlimit(resource, &limit) == 0)
            clock.advance(by: CAStoreCache.checkInterval)
            _ = try certificates.store(of: [file])
        }
    }

    @Test func `an unusable file throws an error`() throws {
        let list = "-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n"
        let secret = """
            -----BEGIN CERTIFICATE-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-128-CBC,00000000000000000000000000000000

            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
            -----END CERTIFICATE-----

            """
        // OpenSSL must not ask for a password.
        try write(secret, to: "\(directory.path)/secret")
        try write(list, to: "\(directory.path)/list")
        try write("no certificate", to: file)
        let pipe = "\(directory.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [
            file, pipe, directory.path, "\(directory.path)/list", "\(directory.path)/secret",
            "\(directory.path)/missing", "",
        ] {
            #expect(throws: MediaFailure.self, "\(path)") { try certificates.store(of: [path]) }
        }
    }

    // No copy of the private keys of these certificates exists. The command was `openssl req -x509 -newkey ec -pkeyopt
    // ec_paramgen_curve:prime256v1 -nodes -days 36500`.
    private static let first = """
        -----BEGIN CERTIFICATE-----
        MIIBgTCCASegAwIBAgIURPi6KujyDtFj2+/9NxfLdGMbcLYwCgYIKoZIzj0EAwIw
        FTETMBEGA1UEAwwKZmlyc3QudGVzdDAgFw0yNjExMjMyMjIxNDNaGA8yMTI2MTAz
        MDIyMjE0M1owFTETMBEGA1UEAwwKZmlyc3QudGVzdDBZMBMGByqGSM49AgEGCCqG
        SM49AwEHA0IABLmDOAqIt8uX+Vo4MQpHt8Pt8sqGtE+LiNc3Ts/dVjycAIg/hcCC
        jCneiEZ+fFrmVYKlzJUmlWUE79PUdEOH2dWjUzBRMB0GA1UdDgQWBBRNUDqDSETC
        PuonMXlJpCgOIdfy4DAfBgNVHSMEGDAWgBRNUDqDSETCPuonMXlJpCgOIdfy4DAP
        BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQC9fVSZoFgMtdSqBouj
        HdSbgYWBsci8h/RBoAX95EXYKQIgW9B923HaW0ExPElbyjZnwgN38k4yaGti/4yh
        JGfs2ss=
        -----END CERTIFICATE-----

        """
    private static let second = """
        -----BEGIN CERTIFICATE-----
        MIIBgjCCASmgAwIBAgIUCjR4fgtflJouAb5X+rqryOu1LqEwCgYIKoZIzj0EAwIw
        FjEUMBIGA1UEAwwLc2Vjb25kLnRlc3QwIBcNMjYxMTIzMjIyMTQzWhgPMjEyNjEw
        MzAyMjIxNDNaMBYxFDASBgNVBAMMC3NlY29uZC50ZXN0MFkwEwYHKoZIzj0CAQYI
        KoZIzj0DAQcDQgAEJQ7ctjmA/11w/EmFmszbTMOWszk2TIAgXZQc7qQjwxAcKWJ/
        DSYYhy77aeuKBXLC49Wqru2uNicfFi53PL9Xy6NTMFEwHQYDVR0OBBYEFEiqZsJu
        U8FvIwfWGejRYubqvSssMB8GA1UdIwQYMBaAFEiqZsJuU8FvIwfWGejRYubqvSss
        MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgGFhRA+3TTSGRahPc
        HsFHc0nRe7qkeKku3WAOsZnxIJoCICg0cNi9q2LbhyWJrwNIBrBtLlRJheD+dsGA
        2U591LDt
        -----END CERTIFICATE-----

        """
}
