import Base
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import NotificationProcessor

/// Checks of `docs/schema/content.schema.json` against the contents that the pipeline emits.
@Suite struct ContentSchemaPlainTests {
    private let schema: DocumentedSchema

    init() throws { schema = try .content() }

    @Test(arguments: try SampleFixture.all(), SampleRun.Ending.allCases)
    func `the content of a sample is valid for every result of its media`(
        sample: SampleFixture, ending: SampleRun.Ending
    ) throws {
        for publicURL in [nil, SampleRun.publicURL, "https://a.example/push"] {
            for profile in MediaProfile.all {
                try check(SampleRun(sample.object, profile: profile, publicURL: publicURL), ending)
            }
        }
    }

    @Test(arguments: try SampleFixture.all())
    func `a sample with values replaced at random has a valid content`(sample: SampleFixture) throws {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<TestLength.rounds(40, short: 10) {
            var value = JSONValue.object(sample.object)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                value = JSONMutations.all(of: value).randomElement(using: &generator) ?? value
            }
            guard let object = value.object else { continue }
            let ending = try #require(SampleRun.Ending.allCases.randomElement(using: &generator))
            try check(SampleRun(object), ending)
        }
    }

    private func check(_ run: SampleRun, _ ending: SampleRun.Ending) throws {
        let contents = run.contents(ending).map(\.json)
        try #require(contents.count == 1)
        #expect(schema.violations(of: contents[0]) == [], "\(JSONWriter.text(of: contents[0]))")
    }

    @Test func `the samples produce each outcome that a sample can have`() throws {
        let outcomes = try SampleFixture.all().flatMap { sample in
            SampleRun.Ending.allCases.flatMap { SampleRun(sample.object).contents($0).map(\.outcome) }
        }
        #expect(Set(outcomes).isSuperset(of: [.rich, .fallback, .cancelled, .passthrough, .prefetched]))
    }

    @Test func `the schema and the program have the same enumeration values`() throws {
        #expect(try schema.words("properties", "profile") == MediaProfile.all.map(\.name))
        #expect(try schema.words("properties", "outcome") == Outcome.allCases.map(\.rawValue))
        #expect(try schema.words("$defs", "reason") == DegradationReason.allCases.map(\.rawValue))
        let content = ["$defs", "content", "properties"]
        #expect(
            try schema.words(content + ["interruptionLevel"]) == InterruptionLevel.allCases.map(\.rawValue))
        let source = ["$defs", "attachment", "properties", "source", "properties", "cache"]
        #expect(try schema.words(source) == sequence(first: CacheStatus.miss, next: \.next).map(\.rawValue))
        let verdict = ["$defs", "verdict", "properties"]
        #expect(
            try schema.numbers(verdict + ["unError"]) == (0...999).compactMap { UNErrorCode(rawValue: $0)?.rawValue })
        let stage = verdict + ["stages", "items", "properties", "name"]
        #expect(try schema.words(stage) == sequence(first: StageName.queue, next: \.next).map(\.rawValue))
        let services = sequence(first: PushService.apns, next: \.next).map(\.limit)
        let limits = try schema.numbers("$defs", "push", "oneOf", "1", "properties", "limit")
        #expect(Set(limits) == Set(services))
    }

    @Test func `the schema and the program have the same roles and the same rendition types`() throws {
        let attachment = ["$defs", "attachment", "properties"]
        #expect(try schema.words(attachment + ["role"]) == MediaRole.allCases.map(\.rawValue))
        let mimeTypes = try schema.words(attachment + ["mimeType"])
        let names = try schema.words(attachment + ["type"])
        for type in MediaFormat.renditions {
            #expect(mimeTypes.contains(type.mimeType))
            #expect(names.contains(type.uniformTypeIdentifier))
        }
    }

    @Test func `every key has a description`() {
        #expect(schema.undescribed == [])
    }
}

/// These enums are not `CaseIterable`. A new case does not compile until it is added to the switch below.
extension StageName {
    fileprivate var next: StageName? {
        switch self {
        case .queue: .dns
        case .dns: .connect
        case .connect: .tls
        case .tls: .wait
        case .wait: .body
        case .body: .inspect
        case .inspect: .transcode
        case .transcode: .decode
        case .decode: .scale
        case .scale: .encode
        case .encode: .store
        case .store: nil
        }
    }
}

extension CacheStatus {
    fileprivate var next: CacheStatus? {
        switch self {
        case .miss: .hit
        case .hit: .revalidated
        case .revalidated: .stale
        case .stale: .coalesced
        case .coalesced: nil
        }
    }
}

extension PushService {
    fileprivate var next: PushService? {
        switch self {
        case .apns: .voip
        case .voip: .fcm
        case .fcm: .webPush
        case .webPush: nil
        }
    }
}
