import Base

/// The content of a file: its objects, and the problems of values and texts that are not objects.
package struct LintFile: Sendable {
    struct Problem {
        let rule: LintRule
        let finding: RuleFinding
        let offset: Int
    }

    /// The name of the file on the command line.
    package let name: String
    let lines: LineTable
    let objects: [LintObject]
    let problems: [Problem]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        lines = LineTable(bytes)
        var (objects, problems): ([LintObject], [Problem]) = ([], [])
        var stream = JSONStream()
        stream.append(bytes)
        let textStart = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var position = textStart
        var places: ArraySlice<LintPlace> = []
        reading: while true {
            switch stream.next(isAtEnd: true) {
            case .value(let value):
                if places.isEmpty {
                    var scanner = OutlineScanner(bytes, from: position)
                    places = LintPlace.all(of: scanner.next(), loneSurrogates: scanner.loneSurrogates)[...]
                    position = scanner.position
                }
                guard let place = places.popFirst() else { break reading }
                if let object = value.object {
                    objects.append(LintObject(object: object, place: place))
                } else {
                    problems.append(FileRules.noObject(value, at: place))
                }
            case .problem(let error):
                let offset = max(textStart, lines.start(of: error.line)) + error.column - 1
                problems.append(FileRules.noJSON(error.problem, at: offset))
                position = Self.nextObjectLine(in: bytes, behind: position)
            case .needsMore: break reading
            }
        }
        if objects.isEmpty, problems.isEmpty {
            problems.append(
                FileRules.noJSON("the file is empty", at: 0, fix: "Write a payload or an envelope into the file"))
        }
        if let problem = FileRules.severalObjects(objects) { problems.append(problem) }
        self.objects = objects
        self.problems = problems
    }

    /// Returns a line without its line ending.
    ///
    /// - Parameter line: The number of the line, from 1. A line beyond the end of the file is empty.
    package func text(ofLine line: Int) -> String { lines.text(of: line) }

    /// Returns the offset at which reading continues after a text that is not JSON: the start of the next line that
    /// begins with `{`. `JSONStream` continues at the same offset.
    private static func nextObjectLine(in bytes: [UInt8], behind position: Int) -> Int {
        var place = bytes[position...].firstIndex { !" \t\r\n".utf8.contains($0) } ?? bytes.count
        while let lineEnd = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) {
            place = lineEnd + 1
            if place < bytes.count, bytes[place] == UInt8(ascii: "{") { return place }
        }
        return bytes.count
    }
}
