import Base
import NotificationModel
import TestSupport
import Testing

@testable import Features

/// Tests of the lines of batches and campaigns.
@Suite struct BatchReaderTests {
    private static let arrival = ManualClock().reading

    private static func entries(of text: String, maxBytes: Int = 1 << 20) -> [BatchReader.Entry] {
        var reader = BatchReader(limits: BatchLimits(maxBytes: maxBytes))
        return reader.read(Array(text.utf8)) + reader.end()
    }

    /// Returns the envelopes of the requests, or the errors in words.
    private static func envelopes(of text: String) -> [Int: String] {
        var envelopes: [Int: String] = [:]
        for entry in entries(of: text) {
            if case .template = entry.content { continue }
            do throws(BatchLineError) {
                let submission = try entry.submission(of: BatchCall(owner: "test"), at: arrival)
                envelopes[entry.number] = JSONWriter.text(of: .object(submission.object))
            } catch {
                envelopes[entry.number] = "\(error)"
            }
        }
        return envelopes
    }

    @Test func `each line is a request, and empty lines only count`() {
        #expect(Self.envelopes(of: "{\"a\":1}\n\n  \r\n{\"b\":2}") == [1: #"{"a":1}"#, 4: #"{"b":2}"#])
    }

    @Test func `a recipient completes the template, and its payload is a merge patch`() {
        let text = """

            {"template":{"profile":"ios","labels":["all"],"payload":{"aps":{"alert":{"title":"T","body":"B"}},"image":"u"}}}
            {"id":"1"}
            {"id":"2","recipient":"anna","labels":["vip"],"locale":"de","profile":"fcm-android"}
            {"id":"3","payload":{"aps":{"alert":{"body":"C"}},"image":null,"x":1}}
            """
        #expect(
            Self.envelopes(of: text) == [
                3:
                    #"{"profile":"ios","labels":["all"],"payload":{"aps":{"alert":{"title":"T","body":"B"}},"image":"u"},"id":"1"}"#,
                4:
                    #"{"profile":"fcm-android","labels":["vip"],"payload":{"aps":{"alert":{"title":"T","body":"B"}},"image":"u"},"id":"2","recipient":"anna","locale":"de"}"#,
                5:
                    #"{"profile":"ios","labels":["all"],"payload":{"aps":{"alert":{"title":"T","body":"C"}},"x":1},"id":"3"}"#,
            ])
    }

    @Test(arguments: [
        (#"{"recipient":"anna"}"#, "id"), (#"{"id":"1","budget":"5s"}"#, "budget"),
        (#"{"id":"1","payload":[]}"#, "payload"), (#"{"id":"1","playload":{}}"#, "playload"),
    ])
    func `a recipient with another key is refused, and the key is named`(_ line: String, _ key: String) {
        let entries = Self.entries(of: #"{"template":{"payload":{}}}"# + "\n" + line)
        #expect {
            _ = try entries[1].submission(of: BatchCall(owner: "test"), at: Self.arrival)
        } throws: { error in
            guard case .unusable(let error)? = error as? BatchLineError else { return false }
            return error.key == key
        }
    }

    @Test(arguments: [
        #"{"template":1}"#, #"{"template":{}}"#, #"{"template":{"payload":[]}}"#,
        #"{"template":{"id":"1","payload":{}}}"#,
    ])
    func `after a template that cannot be used, no line is read`(_ template: String) {
        let entries = Self.entries(of: template + "\n{\"id\":\"1\"}\n")
        #expect(entries.count == 1)
        guard case .error(.unusable) = entries[0].content else {
            Issue.record("the template was accepted")
            return
        }
    }

    @Test func `a template after the first line is a request like any other`() {
        let envelopes = Self.envelopes(of: "{\"a\":1}\n{\"template\":{\"payload\":{}}}")
        #expect(envelopes[2] == #"{"template":{"payload":{}}}"#)
    }

    @Test func `a body with more bytes than the limit ends with an error`() {
        let entries = Self.entries(of: String(repeating: "{}\n", count: 100), maxBytes: 200)
        guard case .error(.bodyTooLarge(most: 200))? = entries.last?.content else {
            Issue.record("the body was accepted")
            return
        }
    }

    @Test func `a batch with more lines than the limit ends with an error`() {
        var reader = BatchReader(limits: BatchLimits(maxBytes: 1 << 20))
        var entries: [BatchReader.Entry] = []
        let piece = Array(String(repeating: "1\n", count: 1_000).utf8)
        for _ in 0..<101 { entries += reader.read(piece) }
        #expect(reader.hasEnded)
        #expect(entries.last?.number == BatchLimits.maxLines + 1)
        guard case .error(.tooMany)? = entries.last?.content else {
            Issue.record("the line was accepted")
            return
        }
    }

    @Test func `the units of a line grow with its memory, and a line with too many values has none`() {
        #expect(BatchLimits.units(of: Array("{}".utf8), with: 0, most: 256) == 1)
        #expect(BatchLimits.units(of: Array("{}".utf8), with: 1 << 20, most: 256) == 17)
        #expect(BatchLimits.units(of: Array("{}".utf8), with: 1 << 30, most: 256) == 256)
        let text = [UInt8](repeating: 0x61, count: 1 << 20)
        #expect(BatchLimits.units(of: text, with: 0, most: 256) == 64)
        let values = Array("[\(String(repeating: "1,", count: 2 << 20))1]".utf8)
        #expect(BatchLimits.units(of: values, with: 0, most: 256) == nil)
    }
}
