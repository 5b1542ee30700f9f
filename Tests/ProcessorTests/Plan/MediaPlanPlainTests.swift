import Base
import Foundation
import NotificationModel
import NotificationProcessor
import Testing

@Suite struct MediaPlanPlainTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    private func plan(
        _ payload: PushPayload, _ change: (inout NotificationRequest) -> Void = { _ in }
    ) -> MediaPlan {
        var request = NotificationRequest(
            id: .new(millisecondsSince1970: 0), budget: TimeBudget(received: .now, length: .seconds(30)),
            receivedAt: date,
            payload: [:])
        change(&request)
        return MediaPlan(payload, for: request, date: date)
    }

    private func payload(_ media: [MediaReference], expiresAt: Date? = nil) -> PushPayload {
        var payload = PushPayload()
        payload.media = media
        payload.expiresAt = expiresAt
        return payload
    }

    private let item = MediaReference(url: "https://a.example/1")

    @Test func `a plan with media that may be fetched has no reason for a result without media`() {
        let plan = plan(payload([item]))
        #expect(plan.noMedia == nil)
        #expect(plan.media.map(\.reference) == [item])
        #expect(plan.media.map(\.refusal) == [nil])
    }

    @Test func `the plan of a payload without media has a reason for a result without media`() {
        #expect(plan(payload([])).noMedia == .nothingToDo)
    }

    @Test(arguments: [(-1.0, true), (0, true), (0.001, false), (1, false)])
    func `a message counts as expired from the instant of its expiry`(secondsLeft: Double, isExpired: Bool) {
        let expiresAt = date.addingTimeInterval(secondsLeft)
        #expect(plan(payload([item], expiresAt: expiresAt)).noMedia == (isExpired ? .expired : nil))
        #expect(plan(payload([], expiresAt: expiresAt)).noMedia == (isExpired ? .expired : .nothingToDo))
    }

    @Test func `a missing permission for the service takes precedence over an expiry`() {
        for expiresAt in [nil, date.addingTimeInterval(-1)] {
            let plan = plan(payload([item], expiresAt: expiresAt)) { $0.permissions.service = false }
            #expect(plan.noMedia == .serviceNotPermitted)
        }
    }

    @Test(
        arguments: [
            (true, false, nil, nil), (true, false, .cellular, nil), (true, true, .wifi, nil),
            (false, false, nil, .downloadNotPermitted), (false, false, .wifi, .downloadNotPermitted),
            (false, true, .cellular, .downloadNotPermitted),
        ] as [(Bool, Bool, NetworkKind?, DegradationReason?)])
    func `missing permissions refuse each media item, with a reason for each`(
        download: Bool, wifiOnly: Bool, network: NetworkKind?, reason: DegradationReason?
    ) {
        let plan = plan(payload([item, item])) {
            $0.permissions.download = download
            $0.permissions.wifiOnly = wifiOnly
            $0.network = network
        }
        #expect(plan.noMedia == nil, "the fallback text is shown, so there is something to do")
        #expect(plan.media.map(\.refusal?.reason) == [reason, reason])
    }

    @Test(
        arguments: [
            (.cellular, .wifiOnly), (nil, .wifiOnly), (.wifi, nil),
        ] as [(NetworkKind?, DegradationReason?)])
    func `a permission for only Wi-Fi refuses the download of a media item, and permits its stored files`(
        network: NetworkKind?, reason: DegradationReason?
    ) {
        let plan = plan(payload([item, item])) {
            $0.permissions.wifiOnly = true
            $0.network = network
        }
        #expect(plan.noMedia == nil)
        #expect(plan.media.map(\.refusal?.reason) == [nil, nil])
        #expect(plan.media.map(\.fetchRefusal?.reason) == [reason, reason])
    }

    @Test(arguments: MediaRole.allCases)
    func `a role that the profile does not show is refused`(role: MediaRole) {
        let plan = plan(payload([MediaReference(url: "u", role: role)]))
        // A thumbnail is fetched because it can replace a missing attachment.
        let isShown = [.attachment, .thumbnail, .mask].contains(role)
        #expect(plan.media.map(\.refusal?.reason) == [isShown ? nil : .otherProfile])
    }

    @Test func `media after the first 32 are refused, and are listed in the plan`() {
        let plan = plan(payload((1...40).map { MediaReference(url: "https://a.example/\($0)") }))
        #expect(plan.media.count == 40)
        #expect(plan.media.prefix(32).allSatisfy { $0.refusal == nil })
        #expect(plan.media.dropFirst(32).allSatisfy { $0.refusal?.reason == .overloaded })
        #expect(plan.media.map(\.reference.url).last == "https://a.example/40")
    }

    @Test(
        arguments: [
            ([nil, nil], ["media-1", "media-2"]), (["a", "b"], ["a", "b"]), (["a", "a", "a"], ["a", "a-2", "a-3"]),
            (["a", "a-2", "a"], ["a", "a-2", "a-3"]), (["a", "a", "a-2"], ["a", "a-2", "a-2-2"]),
            ([nil, "x", nil], ["media-1", "x", "media-3"]), (["media-2", nil], ["media-2", "media-2-2"]),
        ] as [([String?], [String])])
    func `each media item has a unique identifier, from the payload or from its number`(
        wanted: [String?], given: [String]
    ) {
        let plan = plan(payload(wanted.map { MediaReference(url: "u", identifier: $0) }))
        #expect(plan.media.map(\.identifier) == given)
    }

    /// A plan in quadratic time would take minutes before the timer of the deadline starts.
    @Test(.timeLimit(.minutes(1)))
    func `a hundred thousand media with the same identifier are planned within a minute`() {
        let plan = plan(payload(Array(repeating: MediaReference(url: "u", identifier: "a"), count: 100_000)))
        #expect(Set(plan.media.map(\.identifier)).count == 100_000)
        #expect(plan.media.last?.identifier == "a-100000")
    }
}
