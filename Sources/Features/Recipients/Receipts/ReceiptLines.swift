import Base
import FoundationEssentials
import HTTPAPI
import NotificationModel

/// The lines of `POST /v1/receipts`, each of which is one receipt.
struct ReceiptLines: LineHandling {
    static let targetKeys = Receipt.Target.Kind.allCases.map(\.rawValue)

    let recording: ReceiptRecording

    func change(_ object: JSONObject, in group: AppGroupName, byteCount: Int) throws(Problem) -> Receipt {
        let named = Self.targetKeys.filter { object[$0] ?? .null != .null }
        guard named.count == 1, let kind = named.first.flatMap(Receipt.Target.Kind.init),
            let name = object[kind.rawValue]?.string
        else { throw Self.problem("id", "must be the only target of the line: id, providerId or thread") }
        guard let target = Receipt.Target(kind, name) else {
            let isID = kind == .id
            throw Self.problem(
                kind.rawValue,
                isID ? "is not the id of a request" : "must have 1 to \(Receipt.Target.maxBytes) bytes")
        }
        guard let event = object["event"]?.string.flatMap(Receipt.Event.init) else {
            throw Self.problem("event", "must be one of \(Receipt.Event.names)")
        }
        var receipt = Receipt(group: group, target: target, event: event, at: .distantFuture)
        if let value = object["at"], value != .null {
            guard let date = value.string.flatMap({ Timestamp.parse($0) }) else {
                throw Self.problem("at", "must be a time such as 2026-11-27T08:00:00Z")
            }
            receipt.at = date
        }
        if let value = object["recipient"], value != .null {
            guard let name = value.string.flatMap({ RecipientName.parse($0) }) else {
                throw Self.problem("recipient", "is not the name of a receiver")
            }
            receipt.recipients = [name]
        }
        return receipt
    }

    /// The number of receipts that are recorded at the same time. They share the transactions of the journal, and their
    /// searches wait for each other.
    private static let recordedAtOnce = 8

    func apply(_ receipts: [Receipt]) async -> [Result<JSONObject, Problem>] {
        await withTaskGroup(of: (Int, Result<JSONObject, Problem>).self) { tasks in
            var answers = [Result<JSONObject, Problem>?](repeating: nil, count: receipts.count)
            for (index, receipt) in receipts.enumerated() {
                if index >= Self.recordedAtOnce, let (done, answer) = await tasks.next() { answers[done] = answer }
                tasks.addTask { (index, await answer(to: receipt)) }
            }
            for await (done, answer) in tasks { answers[done] = answer }
            return answers.compactMap(\.self)
        }
    }

    private func answer(to receipt: Receipt) async -> Result<JSONObject, Problem> {
        do throws(Problem) {
            var members: JSONObject = ["status": 200]
            for member in try await recording.counts(of: receipt).members {
                members.append(member.key, member.value)
            }
            return .success(members)
        } catch {
            return .failure(error)
        }
    }

    private static func problem(_ key: String, _ text: String) -> Problem {
        Problem(.badRequest, VisibleText.sentence("\(key): \(text)"), members: ["key": .string(key)])
    }
}
