import HTTPAPI
import LinuxIO
import MediaFetcher
import Sandbox
package import ServiceConfiguration

/// The checks of a configuration on this machine, for this user. They create, lock and bind nothing.
extension [ConfigurationCheck] {
    /// The checks for all commands that process media.
    package static let ofMedia: [ConfigurationCheck] = [.certificates, .hostCertificates, .sandboxUser]

    /// The checks for `serve`, its reload, and `config`, so that all three refuse the same configurations.
    package static let ofDaemon: [ConfigurationCheck] =
        ofMedia + [
            .worker, .root, .filesGroup, .listen, .metricsListen, .socket, .socketGroup, .authRequired, .tls,
        ] + CertificateFiles.File.allCases.map(ConfigurationCheck.certificateFile)
}

extension ConfigurationCheck {
    /// Checks that the file has certificates. Without them, no https origin can be trusted.
    fileprivate static let certificates = ConfigurationCheck("fetch.caFile") { configuration in
        guard let file = configuration.fetch.caFile, let problem = CertificateFile.problem(with: file)
        else { return nil }
        return "no certificates can be read from \(file): \(problem): name a PEM file that this user can read, or none"
    }

    /// Checks that the file of each single host has certificates.
    fileprivate static let hostCertificates = ConfigurationCheck("fetch.hosts") { configuration in
        for (host, trust) in configuration.fetch.hosts.sorted(by: { $0.key < $1.key }) {
            guard let file = trust.caFile, let problem = CertificateFile.problem(with: file) else { continue }
            return
                "no certificates can be read from \(file) for \(host): \(problem): name a PEM file that this user can read"
        }
        return nil
    }

    fileprivate static let worker = ConfigurationCheck("workers") { _ in
        do throws(CommandFailure) { _ = try Installation.path(of: Installation.worker) } catch { return error.message }
        return nil
    }

    fileprivate static let sandboxUser = ConfigurationCheck("sandbox.user") { configuration in
        do throws(CommandFailure) { _ = try WorkerOptions(configuration) } catch { return error.message }
        return nil
    }

    /// Checks the root, unless it is the default root. Other users than the daemon's run `config`, too.
    fileprivate static let root = ConfigurationCheck("root") { configuration in
        guard configuration.root != Configuration.ofThisMachine.root,
            let problem = RootFolder(path: configuration.root).problem
        else { return nil }
        return "\(problem.found): \(problem.remedy)"
    }

    fileprivate static let filesGroup = ConfigurationCheck("files.group") { configuration in
        problem(withGroup: configuration.files.group) ?? RootGroup.problem(with: configuration)
    }

    fileprivate static let socketGroup = ConfigurationCheck("socketGroup") { problem(withGroup: $0.socketGroup) }

    private static func problem(withGroup name: String?) -> String? {
        guard let name, UserGroup.identifier(of: name) == nil else { return nil }
        return "there is no group \(name): name a group of /etc/group"
    }

    fileprivate static let listen = ConfigurationCheck("listen") { configuration in
        HTTPServerSettings(configuration).problem?.description
    }

    fileprivate static let metricsListen = ConfigurationCheck("http.metricsListen") { configuration in
        guard let metrics = configuration.http.metricsListen, let listen = configuration.listen,
            metrics.occupies(listen)
        else { return nil }
        return "\(metrics) is also the address of listen (\(listen)), and each listener needs its own: "
            + "choose another port, or none to serve /metrics only on listen"
    }

    fileprivate static let authRequired = ConfigurationCheck("auth.required") { configuration in
        guard configuration.auth.required == .always, !configuration.acceptsCredentials else { return nil }
        return "always refuses all callers without auth.tokens or auth.issuers: appgroupd token new makes a token"
    }

    fileprivate static let tls = ConfigurationCheck("tls.certificateFile") { configuration in
        let tls = configuration.tls
        guard tls.certificateFile != nil || tls.keyFile != nil || tls.clientCAFile != nil else { return nil }
        guard CertificateFiles(tls) != nil else { return "TLS needs both tls.certificateFile and tls.keyFile" }
        return configuration.listen == nil ? "TLS needs a TCP address, and listen is none" : nil
    }

    /// Returns the check of one file of the certificate.
    fileprivate static func certificateFile(_ file: CertificateFiles.File) -> ConfigurationCheck {
        ConfigurationCheck(file.rawValue) { configuration in
            guard let problem = CertificateFiles(configuration.tls)?.problem, problem.file == file else { return nil }
            return problem.problem
        }
    }

    fileprivate static let socket = ConfigurationCheck("socket") { SocketFolder.problem(with: $0) }
}
