import Base
import FeatureKit
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

@testable import appgroupd

/// Tests of the HTTP API of a running daemon, over its socket.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServeHTTPTests {
    private static func withDaemon(_ body: (MisbehavingOrigin, ServedRoot) async throws -> Void) async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                try await body(origin, root)
            }
        }
    }

    @Test func `a posted payload has its content in the response, and its image in the container`() async throws {
        try await Self.withDaemon { origin, root in
            let answer = try await root.client.post(ServedPayload.media([origin.image]))
            #expect(answer.status == 200)
            #expect(answer.json["outcome"] == "rich")
            #expect(answer.json["content"]["body"] == "with")
            let path = try #require(answer.json["content"]["attachments"]?.array?.first["path"]?.string)
            let directory = path.split(separator: "/").dropLast().joined(separator: "/")
            #expect(root.names(in: directory).contains { path.hasSuffix($0) })
        }
    }

    @Test func `a caller with respond-async can read the result later`() async throws {
        try await Self.withDaemon { origin, root in
            let answer = try await root.client.post(
                ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "1s"),
                ["prefer": "respond-async", "idempotency-key": "later"])
            #expect(answer.status == 202)
            let location = try #require(answer.headers["location"])
            let early = try await root.client.request("GET", location)
            #expect(early.status == 200)
            #expect(["queued", "running"].contains(early.json["state"]?.string ?? ""))
            #expect(early.json["id"] == "later")
            try await root.client.emission(of: "later")
            let late = try await root.client.request("GET", location)
            #expect(late.status == 200)
            #expect(late.json["outcome"] == "fallback")
            #expect(late.json["state"] == nil)
        }
    }

    @Test func `a wait time that is shorter than the budget ends the call with status 202`() async throws {
        try await Self.withDaemon { origin, root in
            let answer = try await root.client.post(
                ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "2s"),
                ["prefer": "wait=1", "idempotency-key": "patient"])
            #expect(answer.status == 202)
            #expect(answer.headers["preference-applied"] == "wait=1")
            try await root.client.emission(of: "patient")
            let late = try await root.client.get("patient")
            #expect(late.json["outcome"] == "fallback")
        }
    }

    @Test func `requests with one idempotency key have one result, and another body is refused`() async throws {
        try await Self.withDaemon { origin, root in
            let body = ServedPayload.media([origin.image])
            let client = root.client
            async let same = client.post(body, ["idempotency-key": "once"])
            let first = try await client.post(body, ["idempotency-key": "once"])
            let joined = try await same
            let repeated = try await client.post(body, ["idempotency-key": "once"])
            #expect(first.status == 200)
            #expect(first.json["id"] == "once")
            #expect(joined.body == first.body)
            #expect(repeated.body == first.body)
            let other = try await client.post(ServedPayload.text("another"), ["idempotency-key": "once"])
            #expect(other.status == 422)
            #expect(other.headers["content-type"] == "application/problem+json")
            #expect(origin.counts.requests == 1)
        }
    }

    @Test func `the Request-Timeout header sets the budget`() async throws {
        try await Self.withDaemon { origin, root in
            let answer = try await root.client.post(
                ServedPayload.media([origin.stalled]), ["request-timeout": "1"])
            #expect(answer.status == 200)
            #expect(answer.json["outcome"] == "fallback")
            #expect(answer.json["timing"]["budgetMs"] == 1_000)
            #expect(try #require(answer.json["timing"]["elapsedMs"]?.double) <= 1_000)
            let doubled = try await root.client.post(
                ServedPayload.envelope(ServedPayload.text("b"), budget: "5s"), ["request-timeout": "1"])
            #expect(doubled.status == 400)
        }
    }

    @Test func `a caller that disconnects cancels its request, unless the request has a key`() async throws {
        try await Self.withDaemon { origin, root in
            let events = try await ServedEvents.listen(to: root.client)
            defer { events.close() }
            let client = root.client
            let body = ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "30s")
            let leaving = Task { try await client.post(body) }
            await origin.waitUntil { $0.stallsReached >= 1 }
            leaving.cancel()
            let event = try await events.emitted(.cancelled)
            #expect(event["reason"] == "cancelled")
            await origin.waitUntil { $0.disconnectsBeforeFinish >= 1 }

            let keyed = Task { try await client.post(body, ["idempotency-key": "kept"]) }
            await origin.waitUntil { $0.stallsReached >= 2 }
            keyed.cancel()
            _ = await keyed.result
            let state = try await client.get("kept")
            #expect(state.json["state"] == "running")
            let cancelled = try await client.request("DELETE", "/v1/notifications/kept")
            #expect(cancelled.status == 204)
        }
    }

    @Test func `the response to a first or repeated cancellation depends on the outcome`() async throws {
        try await Self.withDaemon { origin, root in
            let client = root.client
            async let waiting = client.post(
                ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "30s"),
                ["idempotency-key": "unwanted"])
            await origin.waitUntil { $0.stallsReached >= 1 }
            let first = try await client.request("DELETE", "/v1/notifications/unwanted")
            #expect(first.status == 204)
            let answer = try await waiting
            #expect(answer.status == 200)
            #expect(answer.json["outcome"] == "cancelled")
            #expect(answer.json["content"]["body"] == "without")
            let second = try await client.request("DELETE", "/v1/notifications/unwanted")
            #expect(second.status == 204)
            _ = try await client.post(ServedPayload.text("emitted"), ["idempotency-key": "emitted"])
            let late = try await client.request("DELETE", "/v1/notifications/emitted")
            #expect(late.status == 409)
            let unknown = try await client.request("DELETE", "/v1/notifications/stranger")
            #expect(unknown.status == 404)
            let unknownKey = try await client.get("stranger")
            #expect(unknownKey.status == 404)
            let elsewhere = try await client.get("unwanted?group=group.other")
            #expect(elsewhere.status == 404)
        }
    }

    @Test func `the metrics count requests, outcomes and transfers`() async throws {
        try await Self.withDaemon { origin, root in
            for number in 0..<3 { _ = try await root.client.post(ServedPayload.text("\(number)")) }
            _ = try await root.client.post(ServedPayload.media([origin.image]))
            _ = try await root.client.post(ServedPayload.media([origin.fresh("/status/404/photo-small.jpg")]))
            let answer = try await root.client.request("GET", "/metrics")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
            let metrics = try ServedMetrics(String(decoding: answer.body, as: UTF8.self))
            let emitted = "appgroupd_notifications_emitted_total"
            #expect(metrics.value("appgroupd_requests_accepted_total") == 5)
            #expect(metrics.value(emitted, labels: #"outcome="passthrough",reason="none""#) == 3)
            #expect(metrics.value(emitted, labels: #"outcome="rich",reason="none""#) == 1)
            #expect(metrics.value(emitted, labels: #"outcome="fallback",reason="http-status""#) == 1)
            #expect(metrics.value(emitted, labels: #"outcome="fallback",reason="none""#) == 0)
            #expect(metrics.value(emitted) == 5)
            #expect(metrics.value("appgroupd_notification_seconds_count") == 5)
            #expect(metrics.value("appgroupd_transfers_total", labels: #"failure="none""#) == 2)
            #expect(metrics.value("appgroupd_transfer_seconds_count", labels: #"phase="body""#) == 2)
            #expect(metrics.value("appgroupd_media_fetched_total", labels: #"cache="miss""#) == 1)
            // A call is counted after its response, so the last call may be missing.
            let submitted = metrics.value("appgroupd_http_requests_total", labels: #"call="submit",status="200""#)
            #expect((4...5).contains(submitted ?? 0))
            #expect(metrics.value("appgroupd_build_info", labels: #"version="\#(Installation.version)""#) == 1)
        }
    }

    /// The payloads are: a silent push, its alert, the same image twice, a missing image, and an invalid and a new
    /// image.
    @Test func `the metric of fetched media agrees with the results`() async throws {
        try await Self.withDaemon { origin, root in
            let (ahead, again) = (origin.fresh("/header/Cache-Control:max-age=600/photo-small.jpg"), origin.image)
            let prefetch = #"""
                {"aps": {"content-available": 1},
                 "appear2mee": {"id": "m-1", "stage": "prefetch", "urls": ["\#(ahead)"], "fbText": "F"}}
                """#
            var payloads = [prefetch, ServedPayload.twoMee(ahead, providerID: "m-1")]
            payloads += [again, again, origin.fresh("/status/404/photo-small.jpg")].map { ServedPayload.media([$0]) }
            payloads.append(ServedPayload.media([origin.fresh("/not-a-picture.jpg"), origin.image]))
            var shown: [String: Double] = [:]
            for payload in payloads {
                let content = try await root.client.post(payload).json
                for attachment in content["content"]["attachments"]?.array ?? [] {
                    shown[try #require(attachment["source"]["cache"]?.string), default: 0] += 1
                }
            }
            #expect(shown["hit"] ?? 0 >= 2, "one hit in the container and one in the cache")
            let answer = try await root.client.request("GET", "/metrics")
            let metrics = try ServedMetrics(String(decoding: answer.body, as: UTF8.self))
            for cache in CacheStatus.allCases.map(\.rawValue) {
                #expect(
                    metrics.value("appgroupd_media_fetched_total", labels: "cache=\"\(cache)\"") ?? 0
                        == shown[cache] ?? 0, "\(cache)")
            }
        }
    }
}
