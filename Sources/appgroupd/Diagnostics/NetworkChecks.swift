import Base
import FeatureKit
import LinuxIO
import MediaFetcher
import NotificationModel
import ServiceConfiguration

/// The checks of name resolution and certificates, with the settings of the daemon. The checks never resolve a name
/// that belongs to a third party.
enum NetworkChecks {
    /// A name that does not exist (RFC 6761 §6.4). Every name server answers NXDOMAIN for it.
    private static let missingName = "appgroupd.invalid"
    /// The maximum time for an answer. A name server that needs more time is too slow for notifications.
    private static let patience: Duration = .seconds(3)

    /// Checks whether one of the daemon's name servers answers.
    static func nameServers(_ settings: ResolverSettings) async -> Answer {
        let servers = settings.nameservers.isEmpty ? configuredServers() : settings.nameservers
        let list =
            servers.isEmpty ? "this machine, because /etc/resolv.conf names no server" : servers.joined(separator: ", ")
        guard case .failure(let failure) = await resolve(missingName, settings), failure != .noSuchName else {
            return .ok("\(list): answered")
        }
        return .warning(
            "\(list): \(failure.detail)",
            remedy: "Set fetch.nameServers, or name a server that answers in /etc/resolv.conf: nameserver 192.0.2.1")
    }

    private static func configuredServers() -> [String] {
        guard let bytes = try? FileSystem.contents(of: "/etc/resolv.conf") else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line -> String? in
            let words = line.split { $0 == " " || $0 == "\t" }
            return words.count > 1 && words[0] == "nameserver" ? String(words[1]) : nil
        }
    }

    static func localhost(_ settings: ResolverSettings) async -> Answer {
        let remedy = "Check /etc/hosts (127.0.0.1 localhost)."
        switch await resolve("localhost", settings) {
        case .success(let addresses):
            let list = addresses.map(\.text).joined(separator: ", ")
            if addresses.allSatisfy(\.isLoopback) { return .ok(list) }
            return .warning("localhost is \(list), which is not only this machine", remedy: remedy)
        case .failure(.noSuchName): return .failed("localhost is not found", remedy: remedy)
        case .failure(let failure): return .failed("localhost is not found: \(failure.detail)", remedy: remedy)
        }
    }

    /// Resolves a name once, on a thread of its own.
    private static func resolve(
        _ host: String, _ settings: ResolverSettings
    ) async -> Result<[IPAddress], MediaFailure> {
        let loop: EventLoop
        do throws(SystemError) { loop = try EventLoop.start(name: "agd-resolve") } catch {
            return .failure(MediaFailure(.dnsFailed, "no thread can be started: \(error)"))
        }
        defer { loop.shutdown() }
        let resolver: NameResolver
        do throws(MediaFailure) { resolver = try NameResolver(loop: loop, settings: settings) } catch {
            return .failure(error)
        }
        let answer = await withTaskGroup(of: Result<[IPAddress], MediaFailure>.self) { group in
            group.addTask {
                do throws(MediaFailure) { return .success(try await resolver.resolve(host).addresses) } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                await SystemClock().sleep(until: .now.advanced(by: patience))
                return .failure(MediaFailure(.dnsFailed, "no answer within \(patience)"))
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.cancelled)
        }
        await resolver.shutdown()
        return answer
    }

    /// Checks whether the daemon can listen on its socket.
    static func socket(_ configuration: Configuration) -> Answer {
        guard let problem = SocketFolder.problem(with: configuration) else { return .ok(configuration.socket) }
        let parts = problem.split(separator: ": ", maxSplits: 1).map(String.init)
        return .failed(parts[0], remedy: Answer.sentence(parts.last ?? problem))
    }

    /// Checks the certificates with which origins are verified: the files of `fetch.hosts`, and `fetch.caFile` or, if
    /// it is `nil`, the certificates of the system.
    static func certificates(_ caFile: String?, _ hostFiles: [String] = []) -> Answer {
        for file in hostFiles {
            guard let problem = CertificateFile.problem(with: file) else { continue }
            return .failed(
                "no certificates can be read from \(file) (fetch.hosts): \(problem)",
                remedy: "Name a PEM file in fetch.hosts that the daemon's user can read.")
        }
        if let caFile {
            guard let problem = CertificateFile.problem(with: caFile) else { return .ok("\(caFile) (fetch.caFile)") }
            return .failed(
                "no certificates can be read from \(caFile) (fetch.caFile): \(problem)",
                remedy: "Name a PEM file in fetch.caFile that the daemon's user can read, or none for the system's.")
        }
        guard let curl = CurlLibrary.description else {
            return .failed("libcurl does not report its version", remedy: "Install libcurl.")
        }
        let remedy = "Install the certificates of public authorities (Debian: ca-certificates), or set fetch.caFile."
        if let file = curl.certificateFile, let size = FileSystem.size(of: file), size > 0 {
            guard let problem = CertificateFile.problem(with: file) else { return .ok(file) }
            return .failed("no certificates can be read from \(file): \(problem)", remedy: remedy)
        }
        if let directory = curl.certificateDirectory, let names = try? FileSystem.names(in: directory), !names.isEmpty {
            return .ok("\(directory) (\(names.count) files)")
        }
        let places = [curl.certificateFile, curl.certificateDirectory].compactMap(\.self)
        guard !places.isEmpty else {
            return .warning("libcurl does not report where it looks for certificates", remedy: remedy)
        }
        return .failed(
            "there is no file at \(places.joined(separator: " and ")): no https origin can be trusted", remedy: remedy)
    }
}
