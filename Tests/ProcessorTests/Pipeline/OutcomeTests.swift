import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of requests whose media all end before the deadline.
@Suite(.timeLimit(.minutes(1))) struct OutcomeTests {
    @Test func `a request with all media ready is rich, with the success text and every attachment`() async throws {
        let bench = PipelineBench()
        let group = try #require(AppGroupName("group.demo"))
        let request = try bench.request(SamplePayloads.pair) { $0.appGroup = group }
        let emissions = try await bench.process(request)
        let notification = try #require(emissions.first)
        #expect(emissions.count == 1)
        #expect(notification.outcome == .rich)
        #expect(notification.reason == nil)
        #expect(notification.text == NotificationText(title: "Two", subtitle: "Sub", body: "Look"))
        #expect(notification.id == request.id)
        #expect(notification.userInfo == request.payload)
        #expect(notification.attachments.map(\.identifier) == ["one", "two"])
        let first = try #require(notification.attachments.first)
        #expect(first.sourceURL == "https://a.example/1")
        #expect(first.sourceByteCount == 1_000)
        #expect(first.sourceType == "image/heic")
        #expect(first.asset.info.kind == .attachment)
        #expect(first.thumbnail?.info.kind == .thumbnail)
        #expect(first.poster == nil)
        #expect(first.recipe != nil, "the recipe finds the rendition again")
        #expect(notification.reasons == [nil, nil])
        #expect(bench.store.groups == [group])
        #expect(
            bench.store.records == [
                MessageRecord(
                    id: request.id, providerID: nil, profile: "ios",
                    attachments: notification.attachments.map {
                        .init(
                            identifier: $0.identifier, shown: $0.asset,
                            others: [$0.thumbnail, $0.poster].compactMap(\.self), url: $0.sourceURL,
                            sourceType: $0.sourceType, sourceByteCount: $0.sourceByteCount, recipe: $0.recipe)
                    },
                    content: MessageContent(
                        outcome: .rich, text: notification.text,
                        fallback: NotificationText(title: "None", subtitle: "Sub", body: "Sorry")))
            ])
        // The files that a notification shows must not be evicted before it is emitted.
        #expect(bench.store.holds.count == 2)
        #expect(bench.store.holds.allSatisfy { $0 == request.deadline })
    }

    @Test func `attachments keep the payload's order if their downloads end in another order`() throws {
        let gate = Gate()
        let bench = PipelineBench(["https://a.example/1": .hangs(gate)])
        _ = bench.start(try bench.request(SamplePayloads.pair))
        bench.executor.turn()
        #expect(bench.emissions.isEmpty)
        gate.open()
        bench.executor.turn()
        let notification = try #require(bench.emissions.first)
        #expect(notification.outcome == .rich)
        #expect(notification.attachments.map(\.sourceURL) == ["https://a.example/1", "https://a.example/2"])
        #expect(notification.attachments.map(\.asset.sha256) == ["2", "1"])
        #expect(notification.verdicts.map(\.identifier) == ["one", "two"])
    }

    /// The reasons that stages give. `other-profile` is only a reason of the plan.
    private static let reasons = DegradationReason.allCases.filter { $0 != .otherProfile }

    @Test(arguments: reasons)
    func `a failed download keeps its reason, both with and without a second media item`(reason: DegradationReason)
        async throws
    {
        let failure = MediaFailure(reason, "what happened")
        let answers: [String: FakeFetcher.Answer] = ["https://a.example/1": .failure(failure)]

        let pair = PipelineBench(answers)
        let partial = try #require(try await pair.process(pair.request(SamplePayloads.pair)).first)
        #expect(partial.outcome == .partial)
        #expect(partial.reason == reason)
        #expect(partial.text.body == "Look")
        #expect(partial.attachments.map(\.identifier) == ["two"])
        #expect(partial.verdicts.map(\.failure) == [failure, nil])

        let single = PipelineBench(answers)
        let fallback = try #require(try await single.process(single.request(SamplePayloads.single)).first)
        #expect(fallback.outcome == .fallback)
        #expect(fallback.reason == reason)
        #expect(fallback.text == NotificationText(title: "None", subtitle: "Sub", body: "Sorry"))
        #expect(fallback.verdicts.map(\.failure) == [failure])
        #expect(single.transcoder.calls.isEmpty)
        #expect(single.store.records.map(\.attachments) == [[]], "no attachment is shown or recorded")
    }

    @Test(arguments: [DegradationReason.corruptMedia, .workerCrashed, .tooManyPixels, .unsupportedMedia])
    func `the verdict has the reason why a rendition cannot be made`(reason: DegradationReason) async throws {
        let failure = MediaFailure(reason, "what happened")
        let bench = PipelineBench(transcoder: FakeTranscoder(["https://a.example/2": .failure(failure)]))
        let notification = try #require(try await bench.process(bench.request(SamplePayloads.pair)).first)
        #expect(notification.outcome == .partial)
        #expect(notification.reason == reason)
        #expect(notification.verdicts.map(\.failure) == [nil, failure])
    }

    @Test func `the result has the reason of the first omitted attachment`() async throws {
        let bench = PipelineBench([
            "https://a.example/1": .failure(MediaFailure(.tooLarge, "")),
            "https://a.example/2": .failure(MediaFailure(.httpStatus, "404")),
        ])
        let notification = try #require(try await bench.process(bench.request(SamplePayloads.pair)).first)
        #expect(notification.reason == .tooLarge)
        #expect(notification.reasons == [.tooLarge, .httpStatus])
    }

    @Test func `a transcoder that returns no attachment causes an internal error`() async throws {
        let bench = PipelineBench(transcoder: FakeTranscoder(["https://a.example/1": .success([.thumbnail])]))
        let notification = try #require(try await bench.process(bench.request(SamplePayloads.single)).first)
        #expect(notification.outcome == .fallback)
        #expect(notification.reason == .internal)
    }

    @Test(arguments: [FakeStore.Step.scratchFile, .store])
    func `the text is emitted without attachments if the container cannot store files`(step: FakeStore.Step)
        async throws
    {
        let bench = PipelineBench(store: FakeStore(broken: step))
        let notification = try #require(try await bench.process(bench.request(SamplePayloads.pair)).first)
        #expect(notification.outcome == .fallback)
        #expect(notification.reason == .storageFailed)
        #expect(notification.reasons == [.storageFailed, .storageFailed])
        #expect(notification.text.body == "Sorry")
        #expect(bench.transcoder.calls.isEmpty == (step == .scratchFile))
    }

    @Test func `a request throws after its emission if the index cannot record the message`() async throws {
        let bench = PipelineBench(store: FakeStore(broken: .record))
        let request = try bench.request(SamplePayloads.single)
        await #expect(throws: FakeStore.failure) { try await bench.process(request) }
        #expect(bench.emissions.map(\.outcome) == [.rich])
    }

    @Test func `the index records the provider's identifier of a message`() async throws {
        let bench = PipelineBench()
        let payload = #"{"appear2mee":{"id":"msg-bb","urls":["https://a.example/1"]}}"#
        try await bench.process(bench.request(payload))
        #expect(bench.store.records.map(\.providerID) == ["msg-bb"])
    }

    @Test func `icons do not affect the outcome if an attachment is shown`() async throws {
        let bench = PipelineBench()
        let payload = """
            {"body":"B","media":[{"url":"https://a.example/i","role":"icon"},{"url":"https://a.example/1"},
             {"url":"https://a.example/b","role":"badge"}]}
            """
        let notification = try #require(try await bench.process(bench.request(payload)).first)
        #expect(notification.outcome == .rich)
        #expect(notification.reason == nil)
        #expect(notification.reasons == [.otherProfile, nil, .otherProfile])
        #expect(bench.fetcher.calls.map(\.url) == ["https://a.example/1"])
    }

    @Test(arguments: [
        (#"{"url":"https://a.example/1","role":"mask"}"#, Outcome.fallback),
        (#"{"url":"https://a.example/2","role":"mask"}"#, .rich),
        (#"{"url":"https://a.example/2"},{"url":"https://a.example/1","role":"mask"}"#, .rich),
        (#"{"url":"https://a.example/1"},{"url":"https://a.example/2","role":"mask"}"#, .fallback),
    ])
    func `masks do not affect the outcome if there are other media`(media: String, outcome: Outcome) async throws {
        let bench = PipelineBench(["https://a.example/1": .failure(MediaFailure(.httpStatus, "404"))])
        let payload = #"{"body":"B","fallback":{"body":"F"},"media":[\#(media)]}"#
        let notification = try #require(try await bench.process(bench.request(payload)).first)
        #expect(notification.outcome == outcome)
        #expect(notification.reason == (outcome == .rich ? nil : .httpStatus))
        #expect(notification.text.body == (outcome == .rich ? "B" : "F"))
    }

    @Test func `the outcome of a payload with only icons is passthrough`() async throws {
        let bench = PipelineBench()
        let payload = #"{"body":"B","fallback":{"body":"F"},"media":[{"url":"https://a.example/i","role":"icon"}]}"#
        let notification = try #require(try await bench.process(bench.request(payload)).first)
        #expect(notification.outcome == .passthrough)
        #expect(notification.reason == nil)
        #expect(notification.text.body == "B")
        #expect(notification.reasons == [.otherProfile])
        #expect(bench.fetcher.calls.isEmpty)
    }

    @Test func `the outcome of a silent push whose media all fail is fallback without a text`() async throws {
        let failure = MediaFailure(.httpStatus, "404")
        let bench = PipelineBench(["https://a.example/1": .failure(failure)])
        var request = try bench.request(SamplePayloads.silent)
        request.fallback = NotificationText(body: "Sorry")
        let notification = try #require(try await bench.process(request).first)
        #expect(notification.outcome == .fallback)
        #expect(notification.reason == .httpStatus)
        #expect(notification.text.isEmpty)
    }

    @Test func `the outcome of a silent push whose media are all ready is prefetched`() async throws {
        let bench = PipelineBench()
        let request = try bench.request(SamplePayloads.silent)
        let notification = try #require(try await bench.process(request).first)
        #expect(notification.outcome == .prefetched)
        #expect(notification.reason == nil)
        #expect(notification.text.isEmpty)
        #expect(notification.reasons == [nil])
        #expect(bench.store.records.map(\.id) == [request.id])
    }
}
