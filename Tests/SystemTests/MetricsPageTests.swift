import Foundation
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

@testable import appgroupd

/// Tests that docs/operate/metrics.md lists the metrics that the daemon exports, with their kinds and labels.
@Suite(.serialized, .timeLimit(.minutes(1))) struct MetricsPageTests {
    private struct Entry: Equatable {
        var kind: String
        var labels: Set<String>
    }

    /// The metrics in the tables of the page, by name.
    private static func documented() throws -> [String: Entry] {
        let page = try String(contentsOfFile: Fixtures.project + "/docs/operate/metrics.md", encoding: .utf8)
        var entries: [String: Entry] = [:]
        for line in page.split(separator: "\n") {
            guard
                let match = line.wholeMatch(
                    of: /\| `([a-z0-9_]+)(?:\{([a-z_,]+)\})?` \| (counter|gauge|histogram) \| .+ \|/)
            else { continue }
            let labels = (match.output.2 ?? "").split(separator: ",").map(String.init)
            #expect(entries[String(match.output.1)] == nil, "\(match.output.1) is listed twice")
            entries[String(match.output.1)] = Entry(kind: String(match.output.3), labels: Set(labels))
        }
        return entries
    }

    /// The metrics in the text of `/metrics`, by name.
    private static func exported(_ text: String) throws -> [String: Entry] {
        var entries: [String: Entry] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
            let words = line.split(separator: " ")
            entries[String(words[2])] = Entry(kind: String(words[3]), labels: [])
        }
        for sample in try ServedMetrics(text).samples {
            var name = sample.name
            for suffix in ["_bucket", "_sum", "_count"] where entries[name] == nil && name.hasSuffix(suffix) {
                name = String(name.dropLast(suffix.count))
            }
            let labels = sample.labels.matches(of: /([a-z_]+)="/).map { String($0.output.1) }
            entries[name]?.labels.formUnion(labels.filter { $0 != "le" })
        }
        return entries
    }

    @Test func `the page lists each metric that the daemon exports, and no other`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let port = Int(try LoopbackPort.free())
                let file = try ServeCallbackTests.configure(root) { secret in
                    [CallbackServer.target("gateway", port: port, secretFile: secret)]
                }
                _ = try await root.start("--config", file, "--record", ServedRecordings(of: root).path)
                _ = try await root.client.post(ServedPayload.media([origin.image]))
                _ = try await root.client.post(ServedPayload.media([origin.fresh("/status/404/photo-small.jpg")]))
                let answer = try await root.client.request("GET", "/metrics")
                let exported = try Self.exported(String(decoding: answer.body, as: UTF8.self))
                let documented = try Self.documented()
                #expect(documented.count > 60)
                for (name, entry) in exported {
                    guard let listed = documented[name] else {
                        Issue.record("docs/operate/metrics.md has no row for \(name)")
                        continue
                    }
                    #expect(listed.kind == entry.kind, "\(name)")
                    #expect(entry.labels.isSubset(of: listed.labels), "\(name): \(entry.labels)")
                }
                // Some counters exist from their first event on.
                let known = Set(exported.keys).union(MetricDescriptions.all.keys)
                #expect(documented.keys.filter { !known.contains($0) }.sorted() == [])
            }
        }
    }

    @Test func `each metric has a description`() async throws {
        try await ServedRoot.withRoot { root in
            _ = try await root.start()
            let answer = try await root.client.request("GET", "/metrics")
            let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
            func names(_ kind: String) -> Set<Substring> {
                let named = lines.filter { $0.hasPrefix("# \(kind) ") }
                return Set(named.compactMap { $0.split(separator: " ").dropFirst(2).first })
            }
            #expect(names("TYPE").count > 50)
            #expect(names("TYPE").subtracting(names("HELP")).isEmpty)
        }
    }

    @Test func `the metrics say whether notifications were rich within their budget`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                let client = root.client
                for number in 0..<3 { _ = try await client.post(ServedPayload.text("\(number)")) }
                for _ in 0..<2 { _ = try await client.post(ServedPayload.media([origin.image])) }
                _ = try await client.post(ServedPayload.media([origin.fresh("/status/404/photo-small.jpg")]))
                _ = try await client.post(
                    ServedPayload.envelope(
                        ServedPayload.media([origin.image]), budget: "5s", #", "permissions": {"download": false}"#))
                let answer = try await client.request("GET", "/metrics")
                let metrics = try ServedMetrics(String(decoding: answer.body, as: UTF8.self))
                #expect(metrics.value("appgroupd_media_notifications_total") == 3)
                #expect(metrics.value("appgroupd_media_notifications_rich_total") == 2)
                #expect(metrics.value("appgroupd_deadline_slack_seconds_count") == 7)
                #expect(metrics.value("appgroupd_deadline_slack_seconds_bucket", labels: #"le="0""#) == 0)
                #expect(metrics.value("appgroupd_stage_seconds_count", labels: #"stage="compose""#) == 7)
                #expect(metrics.value("appgroupd_stage_seconds_count", labels: #"stage="encode""#) == 2)
                #expect(metrics.value("appgroupd_media_rendition_bytes_count") == 2)
                #expect(metrics.value("appgroupd_workers", labels: #"state="busy""#) == 0)
                let host = #"host="127.0.0.1:\#(origin.port)""#
                #expect(metrics.value("appgroupd_host_transfers_total", labels: #"host="other""#) == 1)
                #expect(metrics.value("appgroupd_host_transfers_total", labels: host) == 2)
                #expect(metrics.value("appgroupd_host_transfers_folded_total") == 1)
            }
        }
    }
}
