import Base
import Foundation

/// A certificate for `localhost` that signs itself, with its key, as openssl writes them.
package struct TestCertificate: Sendable {
    /// openssl ended with another status than 0.
    package struct Failed: Error { package let status: Int32 }

    /// The path of the certificate in PEM.
    package let chain: String
    /// The path of the private key in PEM.
    package let key: String

    /// Makes a certificate that is valid for some days.
    ///
    /// - Parameter name: The name of both files, without their suffixes `.pem` and `.key`.
    package static func make(
        _ name: String, in directory: TemporaryDirectory, days: Int = 90
    ) async throws -> TestCertificate {
        let files = TestCertificate(chain: "\(directory.path)/\(name).pem", key: "\(directory.path)/\(name).key")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "\(days)",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", files.key, "-out",
            files.chain, "-batch",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let ended = AsyncEvent()
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        await ended.wait()
        guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
        return files
    }
}
