import Authentication
import Base
import HTTPAPI
import HTTPTypes
import NotificationModel

/// The meaning of the lines of a body, each of which asks for one change.
protocol LineHandling: Sendable {
    associatedtype Change: Sendable

    /// The keys of the member that names the target of a line. The answer to the line repeats its value as `id`.
    static var targetKeys: [String] { get }

    /// Reads the change of a line.
    func change(_ object: JSONObject, in group: AppGroupName, byteCount: Int) throws(Problem) -> Change

    /// Applies changes, and returns the members of the answer to each of them, in their order.
    func apply(_ changes: [Change]) async -> [Result<JSONObject, Problem>]
}

extension LineHandling {
    /// Applies the change in each line of the body. Each part of the body is applied before the next one is read.
    func answer(to input: consuming Route.Input, in group: AppGroupName?, for caller: Caller, _ context: CallContext)
        throws(Problem) -> Route.Answer
    {
        guard let body = input.stream else { throw Problem(.internal, "The body is missing.") }
        let slot = try context.lineSlot(for: caller)
        let permit = input.permit
        return .lines(
            .init { write in
                var lines = ChangeLines(
                    self, group: group ?? .default, permitted: caller.groups, pace: context.pace)
                do {
                    for try await part in body { await write(await lines.take(part)) }
                    await write(await lines.end(isWhole: true))
                } catch { await write(await lines.end(isWhole: false)) }
                slot.leave()
                withExtendedLifetime(permit) {}
            })
    }
}

/// The lines of a body that each ask for one change, and their answers in the order of the lines.
///
/// The parts of the body become lines, and the lines are applied a few dozen at a time, so that other requests are
/// committed between them. At most one line and the changes that are applied together are in memory.
struct ChangeLines<Handler: LineHandling> {
    /// The maximum number of changes that are applied together. A recipient takes the journal about 30 µs, so there are
    /// fewer while single requests arrive.
    private var maxChanges: Int { pace.isNeeded ? 8 : 64 }

    /// A line that can be applied, or the problem of a line that cannot.
    private struct Line {
        let number: Int
        let target: JSONValue
        let change: Result<Handler.Change, Problem>
    }

    private let handler: Handler
    private let group: AppGroupName
    private let permitted: GroupPermission
    private let pace: LinePace
    private var buffer = LineBuffer(maxLength: ChangeLimits.lineBytes)
    private var waiting: [Line] = []
    private var number = 0
    private var counts = (stored: 0, errors: 0)
    private var output: [UInt8] = []

    /// - Parameter group: The group of lines that name none.
    init(_ handler: Handler, group: AppGroupName, permitted: GroupPermission, pace: LinePace) {
        self.handler = handler
        self.group = group
        self.permitted = permitted
        self.pace = pace
    }

    /// Applies the lines that end in a part of the body, and returns their answers.
    mutating func take(_ part: [UInt8]) async -> [UInt8] {
        buffer.append(part)
        while let line = buffer.next() {
            add(line)
            if waiting.count >= maxChanges { await apply() }
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
                "lines": .number(counts.stored + counts.errors), "stored": .number(counts.stored),
                "errors": .number(counts.errors), "complete": .bool(isWhole),
            ]
        ])
        return takeOutput()
    }

    private mutating func add(_ line: LineBuffer.Line) {
        number += 1
        switch line {
        case .tooLong:
            let problem = Problem(.tooLarge, "A line can have at most \(ChangeLimits.lineBytes) bytes.")
            waiting.append(Line(number: number, target: .null, change: .failure(problem)))
        case .whole(let bytes):
            guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return }
            waiting.append(read(bytes))
        }
    }

    private func read(_ bytes: [UInt8]) -> Line {
        var target = JSONValue.null
        do throws(Problem) {
            let object = try JSONObject.change(in: bytes, about: "line")
            target = .text(Handler.targetKeys.lazy.compactMap { object[$0]?.string }.first)
            let change = try handler.change(object, in: try group(of: object), byteCount: bytes.count)
            return Line(number: number, target: target, change: .success(change))
        } catch { return Line(number: number, target: target, change: .failure(error)) }
    }

    private func group(of object: JSONObject) throws(Problem) -> AppGroupName {
        var group = group
        if let value = object["group"], value != .null {
            guard let named = value.string.flatMap(AppGroupName.init) else {
                throw Problem(.badRequest, "The group is not the name of a group.", members: ["key": "group"])
            }
            group = named
        }
        guard permitted.contains(group) else {
            throw Problem(.forbidden, "The token does not permit the group \(group).", members: ["key": "group"])
        }
        return group
    }

    /// Applies the waiting lines, and writes their answers in the order of the lines.
    private mutating func apply() async {
        guard !waiting.isEmpty else { return }
        await pace.wait()
        let changes = waiting.compactMap { try? $0.change.get() }
        var answers = (changes.isEmpty ? [] : await handler.apply(changes))[...]
        for line in waiting {
            var answer: JSONObject = ["line": .number(line.number), "id": line.target]
            let end = line.change.flatMap { _ in
                answers.popFirst() ?? .failure(Problem(.storageFailed, "The line was not applied. Try again later."))
            }
            switch end {
            case .success(let members):
                counts.stored += 1
                for member in members.members { answer.append(member.key, member.value) }
            case .failure(let problem):
                counts.errors += 1
                answer.append("status", .number(Int(problem.kind.status.code)))
                answer.append("problem", problem.json)
            }
            write(.object(answer))
        }
        waiting.removeAll(keepingCapacity: true)
    }

    private mutating func write(_ value: JSONValue) { output += JSONWriter.bytes(of: value) + [UInt8(ascii: "\n")] }

    private mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }
}

extension Route.Output {
    static let changeLines = lines("One line of JSON for each line of the body, in its order, and a summary.")
}

enum ChangeLimits {
    /// The maximum size of a line, in bytes.
    static let lineBytes = 64 << 10
}
