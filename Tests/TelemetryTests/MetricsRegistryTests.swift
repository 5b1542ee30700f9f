import CoreMetrics
import Testing

@testable import Telemetry

@Suite struct MetricsRegistryTests {
    private static func families(_ registry: MetricsRegistry) throws -> [String: ExpositionParser.Family] {
        try ExpositionParser.families(of: registry.render())
    }

    @Test func `a counter adds up the counts of all its handlers`() throws {
        let registry = MetricsRegistry(descriptions: ["hits_total": MetricDescription(help: "Hits\non \\ the mark.")])
        Counter(label: "hits_total", dimensions: [("kind", "a")], factory: registry).increment(by: 2)
        Counter(label: "hits_total", dimensions: [("kind", "a")], factory: registry).increment()
        Counter(label: "hits_total", dimensions: [("kind", "b")], factory: registry).increment()
        FloatingPointCounter(label: "hits_total", dimensions: [("kind", "b")], factory: registry).increment(by: 0.5)
        Counter(label: "hits_total", dimensions: [("kind", "b")], factory: registry).increment(by: -7)
        let family = try #require(try Self.families(registry)["hits_total"])
        #expect(family.type == "counter")
        #expect(family.help == "Hits\non \\ the mark.")
        #expect(family.samples.map(\.labels) == [["kind": "a"], ["kind": "b"]])
        #expect(family.samples.map(\.value) == [3, 1.5])
    }

    @Test func `a gauge and a meter can increase and decrease`() throws {
        let registry = MetricsRegistry()
        let meter = Meter(label: "running", factory: registry)
        meter.set(5)
        meter.increment(by: 2.0)
        meter.decrement()
        Gauge(label: "free_bytes", factory: registry).record(7)
        Gauge(label: "odd", factory: registry).record(Double.infinity)
        Gauge(label: "odder", factory: registry).record(-1.5e-7)
        let families = try Self.families(registry)
        #expect(families["running"]?.type == "gauge")
        #expect(families["running"]?.samples.map(\.value) == [6])
        #expect(families["free_bytes"]?.samples.map(\.value) == [7])
        #expect(families["odd"]?.samples.map(\.value) == [.infinity])
        #expect(families["odder"]?.samples.map(\.value) == [-1.5e-7])
    }

    @Test func `a timer is rendered as a histogram in seconds`() throws {
        let registry = MetricsRegistry(descriptions: [
            "wait_seconds": MetricDescription(help: "Waiting.", buckets: [0.01, 0.1, 1])
        ])
        let timer = Timer(label: "wait_seconds", dimensions: [("stage", "fetch")], factory: registry)
        for milliseconds in [5, 10, 11, 500, 2_000] { timer.recordMilliseconds(milliseconds) }
        let family = try #require(try Self.families(registry)["wait_seconds"])
        #expect(family.type == "histogram")
        let buckets = family.samples.filter { $0.name == "wait_seconds_bucket" }
        #expect(buckets.map { $0.labels["le"] } == ["0.01", "0.1", "1", "+Inf"])
        #expect(buckets.map(\.value) == [2, 3, 4, 5])
        #expect(buckets.allSatisfy { $0.labels["stage"] == "fetch" })
        let sum = try #require(family.samples.first { $0.name == "wait_seconds_sum" }?.value)
        #expect(abs(sum - 2.526) < 1e-9)
        #expect(family.samples.first { $0.name == "wait_seconds_count" }?.value == 5)
    }

    @Test(arguments: [
        "quote\"", "back\\slash", "line\nfeed", "\\n", "\\", "ünïcode 👩‍👩‍👧", "", "a\u{0}b", "}", "{a=\"b\"} 1", "\r\n",
        "e\u{301}\"\u{301}",
    ])
    func `a label value is rendered without loss`(_ value: String) throws {
        let registry = MetricsRegistry()
        Counter(label: "hits_total", dimensions: [("kind", value)], factory: registry).increment()
        let labels = try Self.families(registry)["hits_total"]?.samples.first?.labels
        #expect(labels?["kind"].map { Array($0.utf8) } == Array(value.utf8))
    }

    @Test(arguments: [
        ("http.requests", "http_requests"), ("1st", "_1st"), ("a-b c", "a_b_c"), ("", "_"), ("größe", "gr__e"),
        ("a:b", "a_b"), ("a\nb 1", "a_b_1"),
    ])
    func `metric and label names are converted to valid Prometheus names`(_ label: String, _ name: String) throws {
        let registry = MetricsRegistry()
        Counter(label: label, dimensions: [(label, "x"), ("le", "1"), ("__own", "2")], factory: registry).increment()
        let family = try #require(try Self.families(registry)[name])
        let keys = family.samples.first?.labels.keys.sorted()
        #expect(keys == [name, "_own", "le_"].sorted())
    }

    @Test func `a metric with too many series refuses more series, and the refusals are counted`() throws {
        let registry = MetricsRegistry()
        for number in 0..<(MetricsRegistry.maxSeries + 10) {
            Counter(label: "hits_total", dimensions: [("n", "\(number)")], factory: registry).increment()
        }
        // Existing series can still be incremented.
        Counter(label: "hits_total", dimensions: [("n", "0")], factory: registry).increment()
        let families = try Self.families(registry)
        #expect(families["hits_total"]?.samples.count == MetricsRegistry.maxSeries)
        #expect(families["hits_total"]?.samples.first { $0.labels["n"] == "0" }?.value == 2)
        #expect(families["appgroupd_metrics_dropped_series_total"]?.samples.map(\.value) == [10])
    }

    @Test func `the number of metrics is bounded`() throws {
        let registry = MetricsRegistry()
        for number in 0..<(MetricsRegistry.maxFamilies + 5) {
            Counter(label: "hits_\(number)_total", factory: registry).increment()
        }
        let families = try Self.families(registry)
        #expect(families.count == MetricsRegistry.maxFamilies + 1)
        #expect(families["appgroupd_metrics_dropped_series_total"]?.samples.map(\.value) == [5])
    }

    @Test func `a name belongs to only one metric`() throws {
        let registry = MetricsRegistry()
        Counter(label: "wait_sum", factory: registry).increment()
        Timer(label: "wait", factory: registry).recordSeconds(1)
        Timer(label: "hold", factory: registry).recordSeconds(1)
        Counter(label: "hold_count", factory: registry).increment()
        Gauge(label: "hold", factory: registry).record(1)
        Counter(label: "appgroupd_metrics_dropped_series_total", factory: registry).increment(by: 100)
        let families = try Self.families(registry)
        #expect(families.keys.sorted() == ["appgroupd_metrics_dropped_series_total", "hold", "wait_sum"])
        #expect(families["appgroupd_metrics_dropped_series_total"]?.samples.map(\.value) == [4])
    }

    @Test func `a destroyed series is removed, and its name can be used again`() throws {
        let registry = MetricsRegistry()
        let counter = Counter(label: "hits_total", factory: registry)
        counter.increment()
        counter.destroy()
        let after = try Self.families(registry)
        #expect(after["hits_total"] == nil)
        Gauge(label: "hits_total", factory: registry).record(4)
        let families = try Self.families(registry)
        #expect(families["hits_total"]?.samples.map(\.value) == [4])
    }

    @Test func `sources are read at each rendering, and metrics of the registry take precedence`() throws {
        let registry = MetricsRegistry()
        Gauge(label: "depth", factory: registry).record(1)
        registry.add {
            [
                MetricFamily(name: "depth", kind: .gauge, help: nil, samples: [.init(value: 9)]),
                MetricFamily(name: "load", kind: .gauge, help: "Load.", samples: [.init(value: 2)]),
            ]
        }
        let families = try Self.families(registry)
        #expect(families["depth"]?.samples.map(\.value) == [1])
        #expect(families["load"]?.samples.map(\.value) == [2])
    }

    @Test func `the counts from many threads are all added`() async throws {
        let registry = MetricsRegistry()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1_000 {
                        Counter(label: "hits_total", factory: registry).increment()
                        Timer(label: "wait_seconds", factory: registry).recordNanoseconds(1)
                    }
                }
            }
        }
        let families = try Self.families(registry)
        #expect(families["hits_total"]?.samples.map(\.value) == [8_000])
        #expect(families["wait_seconds"]?.samples.last?.value == 8_000)
    }
}
