import Base

extension FuzzTarget {
    /// Checks that a value is the same after it was written and read. The function also checks that the values of a
    /// stream do not depend on its division into pieces.
    static func json(_ bytes: [UInt8]) throws(FuzzFinding) {
        if let value = try? JSONParser.value(of: bytes) {
            for isPretty in [false, true] {
                try requireReadable(value, JSONWriter.bytes(of: value, pretty: isPretty))
            }
        }
        let steps = steps(of: [bytes])
        let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
        for case .problem(let error) in steps {
            try require((1...lines).contains(error.line), "the line of a problem is one of the text")
            try require((1...bytes.count + 1).contains(error.column), "the column of a problem is one of the text")
        }
        let half = bytes.count / 2
        try require(
            steps == self.steps(of: [Array(bytes[..<half]), Array(bytes[half...])]),
            "two pieces are read as one")
    }

    /// Checks that a written value can be read and is equal.
    ///
    /// - Parameter text: The value as it was written.
    static func requireReadable(_ value: JSONValue, _ text: [UInt8]) throws(FuzzFinding) {
        let again = try unwrap(try? JSONParser.value(of: text), "a value that is written can be read")
        try require(again == value, "a value that is written reads as it was")
    }

    private static func steps(of pieces: [[UInt8]]) -> [JSONStream.Step] {
        var stream = JSONStream()
        var steps: [JSONStream.Step] = []
        for (index, piece) in pieces.enumerated() {
            stream.append(piece)
            while true {
                let step = stream.next(isAtEnd: index == pieces.count - 1)
                if step == .needsMore { break }
                steps.append(step)
            }
        }
        return steps
    }
}
