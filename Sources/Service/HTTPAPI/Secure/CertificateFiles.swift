import Base
package import FoundationEssentials
import NIOHTTP2
import NIOSSL
import NotificationModel

/// The files of the server's certificate.
package struct CertificateFiles: Sendable, Equatable {
    /// The files, with their keys in the configuration.
    package enum File: String, Sendable, CaseIterable {
        case chain = "tls.certificateFile"
        case key = "tls.keyFile"
        case clientAuthorities = "tls.clientCAFile"
    }

    /// The reason for which a file cannot be used, and the remedy.
    package struct Unusable: Error, Sendable, Equatable, CustomStringConvertible {
        package let file: File
        /// A sentence with the path of the file.
        package let problem: String

        package var description: String { "\(file.rawValue): \(problem)" }
    }

    /// The time before the end of a certificate in which it should be renewed.
    package static let renewal: TimeInterval = 30 * 86_400

    /// The certificate chain in PEM, which begins with the certificate of the server.
    package var chain: String
    /// The private key in PEM.
    package var key: String
    /// The certificates in PEM that sign the certificates of clients; `nil` if clients need none.
    package var clientAuthorities: String?

    package init(chain: String, key: String, clientAuthorities: String? = nil) {
        self.chain = chain
        self.key = key
        self.clientAuthorities = clientAuthorities
    }

    /// The file that cannot be used, with the reason; `nil` if all files can be used.
    package var problem: Unusable? {
        do throws(Unusable) {
            _ = try context()
            return nil
        } catch {
            return error
        }
    }

    /// The end of the validity of the server's own certificate; `nil` if the file cannot be read.
    package var expiry: Date? {
        let certificates = try? NIOSSLCertificate.fromPEMFile(chain)
        return certificates?.first.map { Date(timeIntervalSince1970: TimeInterval($0.notValidAfter)) }
    }

    /// Returns a sentence about a certificate that has expired, or that expires within ``renewal``; `nil` for any other
    /// certificate.
    package func expiryWarning(at now: Date) -> String? {
        guard let expiry, expiry < now + Self.renewal else { return nil }
        let days = Int(expiry.timeIntervalSince(now) / 86_400)
        let state = expiry <= now ? "has expired" : "expires in \(HumanText.counted(days, "day"))"
        return "the certificate in \(chain) \(state)"
    }

    /// Returns a TLS context with the current content of the files: TLS 1.2 and 1.3, and HTTP/2 and HTTP/1.1 by ALPN.
    func context() throws(Unusable) -> NIOSSLContext {
        let certificates = try Self.certificates(of: chain, .chain)
        let privateKey: NIOSSLPrivateKey
        do { privateKey = try NIOSSLPrivateKey(file: key, format: .pem) } catch {
            throw Unusable(
                file: .key,
                problem: "\(key) has no private key without a password in PEM: write one with openssl pkey -in \(key)")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = NIOHTTP2SupportedALPNProtocols
        if let clientAuthorities {
            configuration.trustRoots = .certificates(try Self.certificates(of: clientAuthorities, .clientAuthorities))
            // A client has no host name.
            configuration.certificateVerification = .noHostnameVerification
        }
        do { return try NIOSSLContext(configuration: configuration) } catch {
            // OpenSSL's code for a key whose public half is not in the certificate is the usual reason.
            throw Unusable(
                file: .key,
                problem:
                    "the key in \(key) does not belong to the first certificate in \(chain) (\(error)): name the key "
                    + "with which this certificate was requested, and begin the chain with the daemon's certificate")
        }
    }

    private static func certificates(of path: String, _ file: File) throws(Unusable) -> [NIOSSLCertificate] {
        if let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty { return certificates }
        throw Unusable(
            file: file,
            problem: "\(path) has no certificate in PEM, or a damaged one: name a file whose blocks begin with "
                + "-----BEGIN CERTIFICATE-----")
    }
}
