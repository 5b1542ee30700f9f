import LinuxIO
import MediaFetcher
import NotificationModel

/// Names and certificates, as far as this machine itself tells: nothing is sent to another.
enum NetworkChecks {
    /// The C library asks no more of them (resolv.conf(5)).
    private static let mostUsed = 3

    static func nameServers() -> DoctorCheck.Answer {
        let path = "/etc/resolv.conf"
        guard let bytes = try? FileSystem.contents(of: path) else {
            return .warning(
                "\(path) cannot be read: the resolver asks this machine",
                mend: "Name a server there: nameserver 192.0.2.1")
        }
        let servers = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line -> String? in
            let words = line.split { $0 == " " || $0 == "\t" }
            return words.count > 1 && words[0] == "nameserver" ? String(words[1]) : nil
        }
        guard !servers.isEmpty else {
            return .warning(
                "\(path) names no server: the resolver asks this machine",
                mend: "Name a server there: nameserver 192.0.2.1")
        }
        return .ok(servers.prefix(mostUsed).joined(separator: ", "))
    }

    /// A resolver that is stuck keeps its thread, not us.
    static func localhost() async -> DoctorCheck.Answer {
        let limit = Duration.seconds(1)
        guard let loop = try? EventLoop.start(name: "agd-resolve") else {
            return .failed("no thread can be started", mend: "Raise the limit of processes (ulimit -u).")
        }
        let (answers, answering) = AsyncStream<Result<Int, ResolverError>>.makeStream()
        loop.execute {
            do throws(ResolverError) {
                answering.yield(.success(try HostLookup.addressCount(of: "localhost")))
            } catch {
                answering.yield(.failure(error))
            }
            answering.finish()
        }
        let answer = await withTaskGroup(of: Result<Int, ResolverError>?.self) { group in
            group.addTask { await answers.first { _ in true } }
            group.addTask {
                await SystemClock().sleep(until: .now.advanced(by: limit))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        let mend = "Look at /etc/hosts (127.0.0.1 localhost) and at the 'hosts:' line of /etc/nsswitch.conf."
        switch answer {
        case .success:
            loop.shutdown()
            return .ok("the resolver answers")
        case .failure(let error):
            loop.shutdown()
            return .failed("localhost is not found: \(error)", mend: mend)
        case nil: return .failed("the resolver does not answer within \(limit)", mend: mend)
        }
    }

    static func certificates() -> DoctorCheck.Answer {
        guard let curl = CurlLibrary.description else { return .failed("libcurl is silent", mend: "Install libcurl.") }
        let mend = "Install the certificates of public authorities (Debian: ca-certificates), or set fetch.caFile."
        if let file = curl.certificateFile, let size = FileSystem.size(of: file), size > 0 {
            guard (try? FileSystem.contents(of: file)) != nil else {
                return .failed("\(file) cannot be read", mend: mend)
            }
            return .ok(file)
        }
        if let folder = curl.certificateFolder, let names = try? FileSystem.names(in: folder), !names.isEmpty {
            return .ok("\(folder) (\(names.count) files)")
        }
        let places = [curl.certificateFile, curl.certificateFolder].compactMap(\.self)
        guard !places.isEmpty else { return .warning("libcurl does not say where it looks for them", mend: mend) }
        return .failed("nothing at \(places.joined(separator: " and ")): no https origin can be trusted", mend: mend)
    }
}
