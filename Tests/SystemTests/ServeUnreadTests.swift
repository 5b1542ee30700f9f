import Base
import FeatureKit
import Foundation
import HTTPAPI
import NotificationModel
import TestSupport
import Testing

@testable import appgroupd

/// A model of the messages of a recipient: which of them were shown, and which of these are unread.
struct UnreadModel {
    struct Message { let id: String, thread: String }

    private(set) var shown: [Message] = []
    private var read: Set<String> = []

    mutating func show(_ message: Message) { shown.append(message) }

    mutating func read(_ id: String) { read.insert(id) }

    mutating func read(thread: String) {
        for message in shown where message.thread == thread { read.insert(message.id) }
    }

    func unread(in thread: String) -> Int {
        min(shown.count { $0.thread == thread && !read.contains($0.id) }, ListedThread.most)
    }

    func count(in thread: String) -> Int { min(shown.count { $0.thread == thread }, ListedThread.most) }
}

/// Tests that the numbers of unread messages are those of a model, with a real daemon, over restarts.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ServeUnreadTests {
    /// The number of events. `UNREAD_EVENTS` sets another one.
    private static let events = ProcessInfo.processInfo.environment["UNREAD_EVENTS"].flatMap { Int($0) } ?? 400
    private static let threads = ["c1", "c2", "c3"]
    private static let devices = ["phone", "tablet", "anna"]

    private static func event(_ name: String, _ members: String) -> String {
        #"{"eventId":"\#(UUID().uuidString)","apiSpaceId":"S","name":"\#(name)","payload":{\#(members)}}"#
    }

    private static func envelope(_ payload: String, to device: String) -> String {
        #"{"recipient":"\#(device)","payload":\#(payload)}"#
    }

    private static func message(_ message: UnreadModel.Message) -> String {
        event(
            "conversationMessage.sent",
            #""messageId":"\#(message.id)","conversationId":"\#(message.thread)","context":{"sentBy":"ben"},"parts":[{"type":"text/plain","data":"hi"}]"#
        )
    }

    /// Sends one random event to the daemon and to the model.
    private static func step(_ number: Int, _ model: inout UnreadModel, _ client: DaemonClient) async throws {
        let thread = try #require(threads.randomElement())
        let device = try #require(devices.randomElement())
        let known = model.shown.randomElement()
        switch Int.random(in: 0..<12) {
        case 0...4:
            let message = UnreadModel.Message(id: "m\(number)", thread: thread)
            model.show(message)
            for device in devices.shuffled().prefix(Int.random(in: 1...3)) {
                let answer = try await client.post(envelope(Self.message(message), to: device))
                #expect(answer.status == 200, "\(answer.text)")
            }
        case 5:
            let typing = event("conversation.participantTyping", #""conversationId":"\#(thread)","profileId":"ben""#)
            _ = try await client.post(envelope(typing, to: device))
        case 6:
            _ = try await client.post(
                envelope(#"{"aps":{"content-available":1,"thread-id":"\#(thread)"},"x":1}"#, to: device))
        case 7:
            // Another participant has read a message of this one.
            guard let known else { return }
            _ = try await client.post(
                envelope(event("chatMessage.read", #""messageId":"\#(known.id)","profileId":"ben""#), to: device))
        case 8, 9:
            guard let known else { return }
            model.read(known.id)
            _ = try await client.post(
                envelope(
                    event("conversationMessage.read", #""messageId":"\#(known.id)","profileId":"anna""#), to: device))
        case 10:
            guard let known else { return }
            model.read(known.id)
            _ = try await client.request(
                "POST", "/v1/receipts/\(known.id)/read?by=provider&recipient=\(device)")
        default:
            model.read(thread: thread)
            if Bool.random() {
                _ = try await client.post(
                    envelope(event("conversation.delete", #""conversationId":"\#(thread)""#), to: device))
            } else {
                _ = try await client.request("POST", "/v1/receipts/\(thread)/read?by=thread&recipient=\(device)")
            }
        }
    }

    private static func expectCounts(of model: UnreadModel, _ client: DaemonClient) async throws {
        for recipient in devices {
            let answer = try await client.request("GET", "/v1/threads?recipient=\(recipient)").json
            let found = answer["threads"]?.array ?? []
            for thread in threads {
                let row = found.first { $0["thread"]?.string == thread }
                #expect(row?["unread"]?.integer ?? 0 == model.unread(in: thread), "\(recipient) \(thread) \(answer)")
                #expect(row?["count"]?.integer ?? 0 == model.count(in: thread), "\(recipient) \(thread) \(answer)")
            }
        }
    }

    @Test func `the unread messages of a recipient are those of a model, over random events and restarts`()
        async throws
    {
        try await ServedRoot.withRoot { root in
            var (model, daemon) = (UnreadModel(), try await root.start())
            let created = try await root.client.request(
                "PUT", "/v1/recipients/anna", body: Array(#"{"names":["phone","tablet"]}"#.utf8))
            #expect(created.status == 201, "\(created.text)")
            for number in 0..<Self.events {
                try await Self.step(number, &model, root.client)
                guard (number + 1).isMultiple(of: Self.events / 4) else { continue }
                try await Self.expectCounts(of: model, root.client)
                // The receipts are on the disk, so a kill loses none.
                try await daemon.kill()
                daemon = try await root.start()
                try await Self.expectCounts(of: model, root.client)
            }
        }
    }
}
