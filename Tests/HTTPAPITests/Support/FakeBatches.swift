import Base
import FoundationEssentials
import NotificationModel
import TestSupport

@testable import Features

/// Batches that write each piece of their body back, and know one stored batch: `known`.
final class FakeBatches: BatchIntake {
    let calls = Record<BatchCall>()
    let dryRuns = Record<DryRun>()
    let received = Record<[UInt8]>()
    /// An event that is signalled when a client leaves before the end of its body.
    let left = AsyncEvent()
    private let answer: BatchAdmission?
    private let cancelAnswer: CancelAnswer
    private let first: [UInt8]

    /// - Parameter answer: The answer to a body that is to be stored; `nil` if it is accepted.
    /// - Parameter first: The bytes that are written three times while the body arrives.
    init(_ answer: BatchAdmission? = nil, cancelAnswer: CancelAnswer = .cancelled, first: [UInt8] = []) {
        self.answer = answer
        self.cancelAnswer = cancelAnswer
        self.first = first
    }

    func process(
        _ call: BatchCall, _ body: some AsyncSequence<[UInt8], any Error> & Sendable,
        write: @escaping @Sendable ([UInt8]) async -> Void
    ) async {
        calls.append(call)
        async let writing: Void = writeFirst(write)
        do {
            for try await piece in body {
                received.append(piece)
                if first.isEmpty { await write(piece) }
            }
        } catch {
            left.signal()
        }
        await writing
        await write(Array("{\"summary\":{}}\n".utf8))
        if Task.isCancelled { left.signal() }
    }

    /// Writes the first bytes three times. The server takes the last ones when the client has read most of the others.
    private func writeFirst(_ write: @Sendable ([UInt8]) async -> Void) async {
        guard !first.isEmpty else { return }
        for _ in 0..<3 { await write(first) }
    }

    func plan(
        _ call: BatchCall, _ body: some AsyncSequence<[UInt8], any Error> & Sendable, as run: DryRun,
        write: @escaping @Sendable ([UInt8]) async -> Void
    ) async {
        dryRuns.append(run)
        await process(call, body, write: write)
    }

    func store(
        _ call: BatchCall, as id: RequestID?, _ body: some AsyncSequence<[UInt8], any Error> & Sendable
    ) async -> BatchAdmission {
        calls.append(call)
        do { for try await piece in body { received.append(piece) } } catch { return .truncated }
        return answer ?? .accepted(id ?? .new(millisecondsSince1970: 0))
    }

    func state(of id: RequestID, of owner: String) async -> JSONObject? {
        id.description == "known" ? ["id": "known", "state": "running"] : nil
    }

    func results(
        of id: RequestID, of owner: String, after count: Int
    ) async -> (@Sendable (_ write: @escaping @Sendable ([UInt8]) async -> Void) async -> Void)? {
        guard id.description == "known" else { return nil }
        return { write in await write(Array("{\"after\":\(count)}\n".utf8)) }
    }

    func remove(_ id: RequestID, of owner: String) async -> CancelAnswer {
        id.description == "known" ? cancelAnswer : .unknown
    }

    func cancel(_ id: RequestID, of owner: String) async -> CancelAnswer {
        id.description == "known" ? cancelAnswer : .unknown
    }
}
