import Base
import FoundationEssentials
import NIOCore
import NotificationModel
import Testing

@testable import HTTPAPI

@Suite struct RenderedEventsTests {
    private static func event(_ number: Int) -> RequestEvent {
        RequestEvent(
            id: "\(number)", kind: .accepted, key: FakeCoordinator.key("a"), date: Date(timeIntervalSince1970: 0),
            elapsed: .zero)
    }

    @Test func `an event contains the digest of its recipient, and no member without a recipient`() throws {
        var event = Self.event(1)
        #expect(!EventText.text(of: event).contains("recipient"))
        event.recipient = "be9a783c93457f5a4e6dae9fe3d23be3"
        #expect(EventText.text(of: event).contains(#""appGroup":"group.default","recipient":"be9a783c"#))
        let text = #"{"recipient":"USR/ana","timing":{"elapsedMs":1}}"#
        let content = EmittedContent(key: event.key, outcome: .rich, reason: nil, json: Array(text.utf8))
        #expect(EventText.text(of: content).contains(#""recipient":"be9a783c93457f5a4e6dae9fe3d23be3""#))
    }

    @Test func `an event contains its labels, and an event without labels has no member for them`() throws {
        var event = Self.event(1)
        #expect(!EventText.text(of: event).contains("labels"))
        (event.recipient, event.labels) = ("USR/ana", ["vip", "a\nb"])
        #expect(EventText.text(of: event).contains(#""recipient":"USR/ana","labels":["vip","a\nb"],"at":"#))
        for (labels, expected) in [(#"["vip"]"#, true), ("[]", false)] {
            let text = #"{"labels":\#(labels),"timing":{"elapsedMs":1}}"#
            let content = EmittedContent(key: event.key, outcome: .rich, reason: nil, json: Array(text.utf8))
            #expect(EventText.text(of: content).contains("labels") == expected)
        }
    }

    @Test func `streams that send the same event at the same time share one text`() async {
        let made = Guarded(0)
        let rendered = RenderedEvents { event in
            made.withLock { $0 += 1 }
            return event.id
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for number in 0..<100 {
                        #expect(String(buffer: rendered.text(of: Self.event(number))) == "\(number)")
                    }
                }
            }
        }
        #expect(made.withLock { $0 } == 100)
    }

    @Test func `the cache evicts the oldest rendered text first, and renders its event again`() {
        let made = Guarded<[String]>([])
        let rendered = RenderedEvents { event in
            made.withLock { $0.append(event.id) }
            return event.id
        }
        let all = 3 * RenderedEvents.capacity
        for number in 0..<all { _ = rendered.text(of: Self.event(number)) }
        let isMadeAnew = { (number: Int) in
            made.withLock { $0 = [] }
            _ = rendered.text(of: Self.event(number))
            return made.withLock { $0 } == ["\(number)"]
        }
        #expect(!isMadeAnew(all - 1))
        #expect(!isMadeAnew(all - RenderedEvents.capacity))
        #expect(isMadeAnew(0))
    }
}
