import Base
import NotificationModel
import Testing

/// Tests of values that arrive in pieces of any size.
@Suite struct JSONStreamTests {
    /// Returns all steps of a stream that gets a text in pieces of the same length.
    private static func steps(_ text: String, piece: Int) -> [JSONStream.Step] {
        var stream = JSONStream()
        var steps: [JSONStream.Step] = []
        let bytes = Array(text.utf8)
        var start = 0
        while true {
            let isAtEnd = start >= bytes.count
            var step = stream.next(isAtEnd: isAtEnd)
            while step != .needsMore {
                steps.append(step)
                step = stream.next(isAtEnd: isAtEnd)
            }
            if isAtEnd { return steps }
            stream.append(bytes[start..<min(start + piece, bytes.count)])
            start += piece
        }
    }

    @Test(arguments: [1, 2, 3, 7, 64, 1_000])
    func `pieces of any size result in the same values`(_ piece: Int) {
        let text = "{\"a\": \"\\ud83d\\ude00 é\", \"b\": [true, null, -1.5e3]}\n\n{} [1]\n12 \"x\""
        #expect(
            Self.steps(text, piece: piece) == [
                .value(["a": "😀 é", "b": [true, nil, .number(JSONNumber(literal: "-1.5e3"))]]), .value([:]),
                .value(1), .value(12), .value("x"),
            ])
    }

    @Test(arguments: [1, 2, 3, 5, 7])
    func `pieces of any size result in the same errors`(_ piece: Int) {
        let text =
            "[1, ]\n{\"a\": Truely}\n{\"b\": nul1}\n{\"c\": 2 ,\n}\n{\"d\": \(String(repeating: "x", count: 40))}\n{}\nfal"
        let steps = Self.steps(text, piece: piece)
        #expect(steps == Self.steps(text, piece: text.utf8.count))
        let problems = steps.count { if case .problem = $0 { true } else { false } }
        #expect(problems == 6 && steps.count == 7)
    }

    @Test(arguments: [1, 2, 1_000])
    func `each value has the number of its first line`(_ piece: Int) {
        var stream = JSONStream()
        var lines: [Int] = []
        let bytes = Array("\n\n{\"a\":\n1} {}\n\n\n[]\n[{\"a\": [\"],\\\"\"]},\n[1, 2],\n\n3]".utf8)
        for start in stride(from: 0, to: bytes.count, by: piece) {
            stream.append(bytes[start..<min(start + piece, bytes.count)])
            while case .value = stream.next(isAtEnd: false) { lines.append(stream.valueLine) }
        }
        #expect(lines == [3, 4, 7, 8, 9, 11])
    }

    @Test(arguments: [1, 3, 1_000])
    func `an array results in its elements, in order`(_ piece: Int) {
        let steps = Self.steps("[{\"n\": 1},\n {\"n\": 2}, 3, [4]]\n[]\n{\"n\": 5}", piece: piece)
        #expect(
            steps == [
                .value(["n": 1]), .value(["n": 2]), .value(3), .value([4]), .value([]), .value(["n": 5]),
            ])
    }

    @Test func `an incomplete array is reported as one problem, and its elements are not returned`() {
        let steps = Self.steps("[{\"n\": 1}, {\"n\": 2}", piece: 4)
        guard case .problem? = steps.first, steps.count == 1 else {
            Issue.record("the array has no problem: \(steps)")
            return
        }
    }

    @Test(arguments: [1, 5, 1_000])
    func `an invalid line is reported once with its position, and the other lines are still read`(_ piece: Int) {
        let steps = Self.steps("{\"n\": 1}\n{bad}\n{\"n\": 3}\n{\"open\": 4\n{\"n\": 5}\n", piece: piece)
        #expect(steps.count == 5)
        #expect([steps[0], steps[2], steps[4]] == [1, 3, 5].map { .value(["n": .number(JSONNumber($0))]) })
        guard case .problem(let bad) = steps[1], case .problem(let open) = steps[3] else {
            Issue.record("the bad lines have no problems: \(steps)")
            return
        }
        #expect((bad.line, bad.column) == (2, 2))
        #expect((open.line, open.column) == (5, 1))
    }

    @Test(arguments: [1, 3, 1_000])
    func `the column of a problem is counted from the start of its line`(_ piece: Int) {
        let steps = Self.steps("\r  {\"n\": 1} [2]  {bad}", piece: piece)
        guard steps.count == 3, case .problem(let bad) = steps[2] else {
            Issue.record("the third value has no problem: \(steps)")
            return
        }
        #expect((bad.line, bad.column) == (1, 19))
    }

    @Test(arguments: [1, 2, 3, 1_000])
    func `a byte order mark may arrive in pieces`(_ piece: Int) {
        #expect(Self.steps("\u{FEFF}{\"n\": 1}", piece: piece) == [.value(["n": 1])])
        #expect(Self.steps("\u{FEFF}", piece: piece) == [])
    }

    @Test func `an invalid object over several lines is reported as one problem`() {
        let steps = Self.steps("{\n  \"a\": {\n    \"b\": oops\n  }\n}\n{\"n\": 2}", piece: 4)
        #expect(steps.count == 2)
        #expect(steps.last == .value(["n": 2]))
    }

    @Test func `a value is returned with its last byte, before more bytes arrive`() {
        var stream = JSONStream()
        stream.append("{\"n\": 1".utf8)
        #expect(stream.next(isAtEnd: false) == .needsMore)
        stream.append("}".utf8)
        #expect(stream.next(isAtEnd: false) == .value(["n": 1]))
        #expect(stream.next(isAtEnd: false) == .needsMore)
        #expect(stream.pendingBytes == 0)
    }

    @Test func `a value of megabytes in small pieces is read in bounded time`() {
        let text = "{\"a\": \"" + String(repeating: "x", count: 8 << 20) + "\"}"
        let steps = Self.steps(text, piece: 1 << 14)
        #expect(steps.count == 1)
    }

    @Test func `an incomplete value at the end of the text is reported as a problem`() {
        guard case .problem(let error)? = Self.steps("{\"a\": tru", piece: 3).first else {
            Issue.record("no problem")
            return
        }
        #expect(error.line == 1)
    }
}
