import Base
import FeatureKit
import FoundationEssentials
import HTTPAPI
import NotificationModel
import ServiceConfiguration

/// The checks of the callers of the HTTP API over TCP, and of the certificate for HTTPS.
enum AccessChecks {
    /// Returns the callers that are admitted over TCP.
    static func callers(_ configuration: Configuration) -> Answer {
        guard let listen = configuration.listen else { return .ok("listen is none: only the socket is served") }
        let settings = HTTPServerSettings(configuration)
        if let problem = settings.problem { return .failed("\(problem)", remedy: "Set auth.tokens or auth.issuers.") }
        guard settings.needsToken else { return .ok("\(listen): each program on this machine, without a token") }
        let auth = configuration.auth
        let words =
            "\(listen): \(HumanText.counted(configuration.tokens.count, "token")), "
            + HumanText.counted(auth.issuers.count, "issuer")
        let ignored = auth.warnings
        guard ignored.isEmpty else {
            return .warning(
                "\(words); \(ignored.joined(separator: "; "))",
                remedy: "Repair these keys, or remove them from the file.")
        }
        guard !settings.isLocal, configuration.tls.certificateFile == nil else { return .ok(words) }
        return .warning(
            "\(words), and tokens are sent in clear text",
            remedy: "Set tls.certificateFile and tls.keyFile, or let a proxy on this machine serve HTTPS.")
    }

    /// Returns until when the certificate is valid.
    static func certificate(_ tls: Configuration.TLS, at now: Date = Date()) -> Answer {
        guard let files = CertificateFiles(tls) else { return .ok("none is configured") }
        if let problem = files.problem {
            return .failed("\(problem.file.rawValue): \(problem.problem)", remedy: "Repair or replace this file.")
        }
        if let warning = files.expiryWarning(at: now) {
            let remedy = "Renew the certificate. No restart is necessary."
            return files.expiry.map { $0 <= now } == true
                ? .failed(warning, remedy: remedy) : .warning(warning, remedy: remedy)
        }
        guard let end = files.expiry else { return .ok(files.chain) }
        return .ok("\(files.chain): valid for \(HumanText.counted(Int(end.timeIntervalSince(now) / 86_400), "day"))")
    }
}

/// The check of the settings of single app groups.
enum GroupChecks {
    static func settings(_ groups: AppGroups) -> Answer {
        let warnings = groups.warnings
        guard warnings.isEmpty else {
            return .warning(warnings.joined(separator: "; "), remedy: "Correct groups in the configuration.")
        }
        guard !groups.settings.isEmpty else { return .ok("none is named, and every group is served") }
        let own = groups.settings.filter { !$0.keys.isEmpty }.count
        let words = "\(HumanText.counted(groups.settings.count, "group")), \(own) with settings of their own"
        return .ok(groups.isOpen ? "\(words), and every other group is served" : words)
    }
}
