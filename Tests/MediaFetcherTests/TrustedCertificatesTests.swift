import Foundation
import Glibc
import TestSupport
import Testing

@testable import MediaFetcher

struct TrustedCertificatesTests {
    private let folder: TemporaryFolder
    private let certificates = TrustedCertificates()
    private var file: String { "\(folder.path)/trusted.pem" }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, to file: String) throws { try Data(text.utf8).write(to: URL(filePath: file)) }

    /// The machine's own OpenSSL is libcurl's: else nothing of this is used.
    @Test func `Debian's libcurl takes them`() { #expect(certificates.canBeHandedOver) }

    @Test func `a file that stays as it is is read once`() throws {
        try write(Self.first, to: file)
        let store = try #require(certificates.store(of: file))
        #expect(certificates.store(of: file) === store)
    }

    @Test func `many threads that ask at once have the same`() async throws {
        try write(Self.first, to: file)
        let stores = await withTaskGroup(of: ObjectIdentifier?.self) { group in
            for _ in 0..<8 {
                group.addTask { [certificates, file] in certificates.store(of: file).map(ObjectIdentifier.init) }
            }
            return await group.reduce(into: Set<ObjectIdentifier?>()) { $0.insert($1) }
        }
        #expect(stores.count == 1)
        #expect(stores.first != .some(nil))
    }

    @Test func `a file that was changed in its place is read again`() throws {
        try write(Self.first, to: file)
        let store = try #require(certificates.store(of: file))
        try write(Self.first + Self.second, to: file)
        #expect(certificates.store(of: file) !== store)
    }

    /// As Kubernetes hands out files.
    @Test func `a link that leads elsewhere is read again`() throws {
        try write(Self.first, to: "\(folder.path)/one")
        try write(Self.second, to: "\(folder.path)/two")
        try #require(symlink("one", file) == 0)
        let store = try #require(certificates.store(of: file))
        try #require(unlink(file) == 0 && symlink("two", file) == 0)
        #expect(certificates.store(of: file) !== store)
    }

    @Test(arguments: ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func `what cannot be read leaves what was read before`(_ text: String) throws {
        try write(Self.first, to: file)
        let store = try #require(certificates.store(of: file))
        try write(text, to: file)
        #expect(certificates.store(of: file) === store)
        try #require(unlink(file) == 0)
        #expect(certificates.store(of: file) === store)
        try write(Self.second, to: file)
        let next = try #require(certificates.store(of: file))
        #expect(next !== store)
    }

    @Test func `another file has nothing of the one before`() throws {
        try write(Self.first, to: file)
        try #require(certificates.store(of: file) != nil)
        #expect(certificates.store(of: "\(folder.path)/missing") == nil)
    }

    @Test func `nothing can be read where there is nothing`() throws {
        try write("no certificate", to: file)
        let pipe = "\(folder.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [file, pipe, folder.path, "\(folder.path)/missing", ""] {
            #expect(certificates.store(of: path) == nil, "\(path)")
        }
    }

    // Of keys that nobody has: `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500`.
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
