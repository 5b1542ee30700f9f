import Base
import FeatureKit
import FoundationEssentials
import HTTPAPI
import LinuxIO
import NotificationModel
import ServiceConfiguration
import StoreTools

/// The files of a support bundle: the facts that are needed to find the cause of a problem, without secrets and
/// without texts of notifications.
///
/// Each file is made from known parts, and its texts are scrubbed (`TextScrubber`). A part that cannot be had, such as the
/// status of a daemon that does not run, is a sentence with the reason.
struct SupportBundle {
    /// The directory in the archive.
    static let directory = "appgroupd-support"
    static let left = "(left out)"

    /// The files in their order.
    private(set) var files: [(name: String, text: String)] = []

    /// Asks the daemon and this machine for the contents of all files.
    ///
    /// - Parameter logFile: A file with log lines. If `nil`, the file of `log.file` is taken, if there is one.
    static func collect(
        _ configuration: Configuration, from client: DaemonClient, logFile: String?, at date: Date
    ) async -> SupportBundle {
        var bundle = SupportBundle()
        bundle.add("configuration.json", Self.json(of: configuration))
        let doctor: JSONValue
        do throws(CommandFailure) {
            let report = try await Doctor.examine(configuration)
            doctor = (try? JSONParser.value(of: report.json)) ?? .null
        } catch {
            doctor = Self.problem(error.message ?? "doctor failed")
        }
        bundle.add("doctor.json", TextScrubber.value(doctor))
        for (name, target) in [
            ("status.json", "/v1/status"), ("hosts.json", "/v1/hosts?limit=\(DaemonFacts.maxHosts)"),
        ] {
            bundle.add(name, await Self.report(target, of: client))
        }
        bundle.files.append(("metrics.txt", await Self.metrics(of: client)))
        bundle.addScenarios(await Self.report("/v1/samples", of: client))
        if let logFile = logFile ?? configuration.log.file { bundle.files.append(("log.txt", Self.log(logFile))) }
        bundle.files.insert(("about.json", bundle.about(at: date)), at: 0)
        return bundle
    }

    /// The archive as bytes: a tar archive in the format of gzip.
    ///
    /// - Throws: A failure with status 1 if there is no memory.
    func archive() throws(CommandFailure) -> [UInt8] {
        let entries = files.map { (name: "\(Self.directory)/\($0.name)", bytes: Array($0.text.utf8)) }
        guard let bytes = Gzip.compressed(UstarHeader.archive(of: entries)) else {
            throw CommandFailure(.failed, "the bundle cannot be compressed: there is no memory")
        }
        return bytes
    }

    private mutating func add(_ name: String, _ value: JSONValue) {
        files.append((name, JSONWriter.text(of: value, pretty: true) + "\n"))
    }

    /// Adds a file for each slow and each failed request.
    private mutating func addScenarios(_ samples: JSONValue) {
        guard samples["problem"] == nil else { return add("scenarios/none.json", samples) }
        for (kind, key) in [("slow", "slowest"), ("failed", "failed")] {
            for (index, scenario) in (samples[key]?.array ?? []).enumerated() {
                add("scenarios/\(kind)-\(index < 9 ? "0" : "")\(index + 1).json", scenario)
            }
        }
    }

    private func about(at date: Date) -> String {
        let system = (try? FileSystem.contents(of: "/etc/os-release"))
            .map { String(decoding: $0, as: UTF8.self) }?
            .split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }?
            .dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" }
        let about: JSONValue = [
            "program": "appgroupd", "version": .string(Installation.version), "madeAt": .timestamp(date),
            "kernel": .text(FileSystem.firstLine(of: "/proc/sys/kernel/osrelease")),
            "system": .text(system.map { String($0) }),
            "processors": .number(ProcessInfo.processInfo.activeProcessorCount),
            "leftOut": """
            secrets, texts, titles, recipients, identifiers, and the paths and queries of URLs; digests tell which of \
            them are equal
            """,
            "files": .array(files.map { .string($0.name) }),
        ]
        return JSONWriter.text(of: about, pretty: true) + "\n"
    }

    // MARK: The parts

    /// Returns the configuration with the source of each value. Values with texts for people are left out.
    private static func json(of configuration: Configuration) -> JSONValue {
        .array(
            configuration.entries.map { entry in
                [
                    "key": .string(entry.key), "source": .string(entry.source.description),
                    "value": entry.source == .default ? entry.value : value(entry.value, of: entry.key),
                ]
            })
    }

    private static func value(_ value: JSONValue, of key: String) -> JSONValue {
        if key == "texts" || key == "dialects" || key.hasPrefix("twomee.") { return .string(left) }
        // The settings of an app group have the same keys.
        if key == "groups", let groups = value.object {
            return .object(
                JSONObject(
                    groups.members.map { group -> (String, JSONValue) in
                        let settings = (group.value.object?.members ?? []).map {
                            ($0.key, Self.value($0.value, of: $0.key))
                        }
                        return (group.key, .object(JSONObject(settings)))
                    }))
        }
        return TextScrubber.value(value)
    }

    private static func report(_ target: String, of client: DaemonClient) async -> JSONValue {
        do { return try await client.report(target) } catch {
            return problem((error as? CommandFailure)?.message ?? "\(error)")
        }
    }

    private static func metrics(of client: DaemonClient) async -> String {
        do {
            let answer = try await client.ask("GET", "/metrics")
            guard answer.status == 200 else { return "# \(TextScrubber.text(answer.problem))\n" }
            return answer.text + "\n"
        } catch {
            return "# \(TextScrubber.text((error as? CommandFailure)?.message ?? "\(error)"))\n"
        }
    }

    private static func log(_ path: String) -> String {
        do throws(SystemError) { return try LogTail.lines(of: path).map { $0 + "\n" }.joined() } catch {
            return "the log cannot be read: \(error.reason)\n"
        }
    }

    private static func problem(_ sentence: String) -> JSONValue { ["problem": .string(TextScrubber.text(sentence))] }
}
