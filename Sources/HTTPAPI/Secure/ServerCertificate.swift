package import FoundationEssentials
package import Logging
import NIOHTTP2
import NIOSSL
package import Primitives

/// The files of the server's certificate.
package struct CertificateFiles: Sendable, Equatable {
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

    /// The reason for which the files cannot be used; `nil` if they can be used.
    package var problem: String? {
        do {
            _ = try context()
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// The end of the validity of the server's own certificate; `nil` if the file cannot be read.
    package var expiry: Date? {
        let certificates = try? NIOSSLCertificate.fromPEMFile(chain)
        return certificates?.first.map { Date(timeIntervalSince1970: TimeInterval($0.notValidAfter)) }
    }

    /// Returns a TLS context with the current content of the files: TLS 1.2 and 1.3, and HTTP/2 and HTTP/1.1 by ALPN.
    fileprivate func context() throws -> NIOSSLContext {
        let certificates = try NIOSSLCertificate.fromPEMFile(chain)
        let privateKey = try NIOSSLPrivateKey(file: key, format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = NIOHTTP2SupportedALPNProtocols
        if let clientAuthorities {
            configuration.trustRoots = .file(clientAuthorities)
            // A client has no host name.
            configuration.certificateVerification = .noHostnameVerification
        }
        return try NIOSSLContext(configuration: configuration)
    }
}

/// The certificate of the server, which follows its files. A connection keeps the certificate with which it began.
package final class ServerCertificate: Sendable {
    /// The time between two readings of the files.
    private static let interval: Duration = .seconds(60)

    private let files: CertificateFiles
    private let current: Guarded<NIOSSLContext>
    private let clock: any RequestClock
    private let logger: Logger

    /// Reads the files, so that a daemon with unusable files does not start.
    ///
    /// - Throws: ``HTTPServerError`` if the files cannot be used.
    package init(_ files: CertificateFiles, clock: any RequestClock, logger: Logger) throws(HTTPServerError) {
        do { current = Guarded(try files.context()) } catch {
            throw .certificate(path: files.chain, problem: "\(error)")
        }
        self.files = files
        self.clock = clock
        self.logger = logger
    }

    var context: NIOSSLContext { current.withLock(\.self) }

    /// Reads the files again. If they cannot be used, the old certificate stays in use.
    package func refresh() {
        do {
            let context = try files.context()
            current.withLock { $0 = context }
        } catch {
            logger.error("the certificate is not renewed: \(files.chain): \(error)")
        }
    }

    /// Reads the files every minute, until the task is cancelled.
    func follow() async {
        while !Task.isCancelled {
            await clock.sleep(until: clock.now.advanced(by: Self.interval))
            if !Task.isCancelled { refresh() }
        }
    }
}
