import HTTPTypes
import JSON
import NotificationModel
import Primitives

/// The lines of `PATCH /v1/recipients`, each of which changes one receiver.
///
/// The parts of the body become lines, and the lines become transactions of a few dozen changes, so that other requests
/// are committed between them. At most one line and the changes of one transaction are in memory.
struct RecipientLines {
    /// The maximum size of a line, in bytes.
    static let mostLineBytes = 64 << 10
    /// The maximum number of changes that share a transaction. Each takes the journal about 30 µs.
    private static let mostChanges = 64

    /// A line that can be applied, or the problem of a line that cannot.
    private enum Line {
        case change(ReceiverChange)
        case problem(id: String?, Problem)
    }

    private let group: AppGroupName
    private let permitted: GroupPermission
    private let store: any ReceiverStoring
    private var buffer = LineBuffer(longest: mostLineBytes)
    private var waiting: [(number: Int, line: Line)] = []
    private var number = 0
    private var counts = (stored: 0, errors: 0)
    private var output: [UInt8] = []

    /// - Parameter group: The group of lines that name none.
    init(group: AppGroupName, permitted: GroupPermission, store: any ReceiverStoring) {
        self.group = group
        self.permitted = permitted
        self.store = store
    }

    /// Applies the lines that end in a part of the body, and returns their answers.
    mutating func take(_ part: [UInt8]) async -> [UInt8] {
        buffer.append(part)
        while let line = buffer.next() {
            add(line)
            if waiting.count >= Self.mostChanges { await apply() }
        }
        await apply()
        return takeOutput()
    }

    /// Applies the last line, and returns its answer and the summary.
    ///
    /// - Parameter isWhole: Whether the body has its end. A last line without an end is not applied otherwise.
    mutating func end(isWhole: Bool) async -> [UInt8] {
        if isWhole, let line = buffer.last() { add(line) }
        await apply()
        write([
            "summary": [
                "lines": .number(JSONNumber(counts.stored + counts.errors)),
                "stored": .number(JSONNumber(counts.stored)),
                "errors": .number(JSONNumber(counts.errors)), "complete": .bool(isWhole),
            ]
        ])
        return takeOutput()
    }

    private mutating func add(_ line: LineBuffer.Line) {
        number += 1
        switch line {
        case .tooLong:
            let problem = Problem(.tooLarge, "A line can have at most \(Self.mostLineBytes) bytes.")
            waiting.append((number, .problem(id: nil, problem)))
        case .whole(let bytes):
            guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return }
            waiting.append((number, Self.line(bytes, group, permitted)))
        }
    }

    private static func line(_ bytes: [UInt8], _ group: AppGroupName, _ permitted: GroupPermission) -> Line {
        var id: String?
        do throws(Problem) {
            let object = try RouteHandlers.object(bytes, about: "line")
            id = object["id"]?.string
            guard let name = id.flatMap({ ReceiverName.parse($0) }) else {
                throw Problem(ReceiverError(key: "id", problem: "is not the name of a receiver"))
            }
            var group = group
            if let value = object["group"], value != .null {
                guard let named = value.string.flatMap(AppGroupName.init) else {
                    throw Problem(ReceiverError(key: "group", problem: "is not the name of a group"))
                }
                group = named
            }
            guard permitted.contains(group) else {
                throw Problem(.forbidden, "The token does not permit the group \(group).", members: ["key": "group"])
            }
            return .change(
                ReceiverChange(
                    name: ReceiverName(group: group, name: name), kind: .patch(object), byteCount: bytes.count))
        } catch {
            return .problem(id: id, error)
        }
    }

    /// Applies the waiting lines, and writes their answers in the order of the lines.
    private mutating func apply() async {
        guard !waiting.isEmpty else { return }
        let changes = waiting.compactMap { entry -> ReceiverChange? in
            if case .change(let change) = entry.line { change } else { nil }
        }
        var answers = (changes.isEmpty ? [] : await store.apply(changes))[...]
        for (number, line) in waiting {
            switch line {
            case .problem(let id, let problem): writeError(number, id, problem)
            case .change(let change):
                guard case .stored(_, let isNew)? = answers.first else {
                    writeError(number, change.name.name, Problem(answers.first ?? .failed(""), about: change.name))
                    answers = answers.dropFirst()
                    continue
                }
                answers = answers.dropFirst()
                counts.stored += 1
                write([
                    "line": .number(JSONNumber(number)), "id": .string(change.name.name), "status": isNew ? 201 : 200,
                ])
            }
        }
        waiting.removeAll(keepingCapacity: true)
    }

    private mutating func writeError(_ number: Int, _ id: String?, _ problem: Problem) {
        counts.errors += 1
        write([
            "line": .number(JSONNumber(number)), "id": id.map { .string($0) } ?? .null,
            "status": .number(JSONNumber(problem.kind.status.code)), "problem": problem.json,
        ])
    }

    private mutating func write(_ value: JSONValue) { output += JSONWriter.bytes(of: value) + [UInt8(ascii: "\n")] }

    private mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }
}
