import Base
import COpenSSL
import NIOCore
import NIOSSL

/// A mistake in the certificate of a host.
package enum CertificateFault: String, Sendable, CaseIterable {
    /// The certificate was valid until an hour ago.
    case expired
    /// The certificate is for another host.
    case wrongHost = "wrong-host"
    /// The certificate is signed with its own key.
    case selfSigned = "self-signed"
}

/// A certificate and its private key, in PEM.
package struct CertificateFiles: Sendable {
    package let certificate: String
    package let key: String
}

/// An authority that is made for one run, and that signs a certificate for each host that a client asks for. Its key is
/// never written to a file, and no other program trusts it.
package final class CertificateAuthority: Sendable {
    package struct Failed: Error, CustomStringConvertible {
        package let description = "OpenSSL makes no certificate"
    }

    private static let day = 86_400
    private let own: CertificateFiles
    private let faults: [String: CertificateFault]
    private let known = Guarded<[String: CertificateFiles]>([:])

    /// The certificate of the authority, which clients must trust.
    package var certificate: String { own.certificate }

    /// - Parameter faults: The mistakes by host.
    package init(faults: [String: CertificateFault] = [:]) throws(Failed) {
        own = try Self.make("appgroupd laboratory", for: nil, signedBy: nil, from: -Self.day, until: Self.day)
        self.faults = faults
    }

    /// Returns the certificate that a host shows.
    package func files(for host: String) throws(Failed) -> CertificateFiles {
        if let files = known.withLock({ $0[host] }) { return files }
        let fault = faults[host]
        let files = try Self.make(
            "origin", for: fault == .wrongHost ? "elsewhere.example" : host,
            signedBy: fault == .selfSigned ? nil : own, from: -2 * Self.day,
            until: fault == .expired ? -3_600 : Self.day)
        known.withLock { $0[host] = files }
        return files
    }

    /// Returns the settings of TLS with which a server has a certificate for each name that a client sends.
    func serverContext() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: [], privateKey: try key(own))
        configuration.certificateChain = try chain(own)
        configuration.applicationProtocols = ["http/1.1"]
        configuration.sslContextCallback = { [self] values, promise in
            promise.completeWith(
                Result {
                    let files = try files(for: values.serverHostname?.lowercased() ?? "localhost")
                    var override = NIOSSLContextConfigurationOverride()
                    override.certificateChain = try chain(files)
                    override.privateKey = try key(files)
                    return override
                })
        }
        return try NIOSSLContext(configuration: configuration)
    }

    private func chain(_ files: CertificateFiles) throws -> [NIOSSLCertificateSource] {
        try NIOSSLCertificate.fromPEMBytes(Array(files.certificate.utf8)).map { .certificate($0) }
    }

    private func key(_ files: CertificateFiles) throws -> NIOSSLPrivateKeySource {
        .privateKey(try NIOSSLPrivateKey(bytes: Array(files.key.utf8), format: .pem))
    }

    /// - Parameters:
    ///   - host: The name or address in the certificate; `nil` for an authority.
    ///   - issuer: The authority; `nil` if the certificate is signed with its own key.
    ///   - start: The begin of the validity, in seconds from now.
    ///   - end: The end of the validity, in seconds from now.
    private static func make(
        _ name: String, for host: String?, signedBy issuer: CertificateFiles?, from start: Int, until end: Int
    ) throws(Failed) -> CertificateFiles {
        let alternative = host.map { "DNS:\($0)" }
        var certificate = [CChar](repeating: 0, count: 8_192)
        var key = [CChar](repeating: 0, count: 2_048)
        let isMade = agd_make_certificate(
            name, alternative, issuer?.certificate, issuer?.key, start, end, &certificate,
            certificate.count, &key, key.count)
        guard isMade == 1 else { throw Failed() }
        return CertificateFiles(certificate: text(certificate), key: text(key))
    }

    private static func text(_ bytes: [CChar]) -> String {
        String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
