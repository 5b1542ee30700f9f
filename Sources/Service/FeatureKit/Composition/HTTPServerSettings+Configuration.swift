import Base
package import HTTPAPI
import LinuxIO
import NotificationModel
package import ServiceConfiguration

extension CertificateFiles {
    /// Creates the files of a configuration; `nil` if one of the two necessary files is missing.
    package init?(_ tls: Configuration.TLS) {
        guard let chain = tls.certificateFile, let key = tls.keyFile else { return nil }
        self.init(chain: chain, key: key, clientAuthorities: tls.clientCAFile)
    }
}

extension HTTPServerSettings {
    /// Creates the settings with the addresses on which the daemon listens.
    ///
    /// - Parameter passed: The sockets of the service manager, which have the places of the configured ones.
    package init(_ configuration: Configuration, passed: PassedRoles = PassedRoles()) {
        self.init(
            tcp: passed.tcp ?? configuration.listen.map { .init(host: $0.host, port: $0.port) },
            socket: .init(path: configuration.socket, groupID: configuration.socketGroup.flatMap(UserGroup.identifier)))
        if let passed = passed.socket {
            socket?.path = passed.path
            socket?.descriptor = passed.descriptor
        }
        let auth = configuration.auth
        needsToken = configuration.acceptsCredentials && (auth.required == .always || tcp?.isLoopback == false)
        monitoring = passed.monitoring ?? configuration.http.metricsListen.map { .init(host: $0.host, port: $0.port) }
        trustedProxies = configuration.http.trustedProxies.compactMap { AddressRange($0) }
    }
}
