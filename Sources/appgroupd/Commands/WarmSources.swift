import JSON
import LinuxIO
import NotificationModel
import Warming

/// Reads the sources of a batch, one after the other.
struct WarmSources: Sendable {
    /// Paths; `-` is standard input.
    let names: [String]
    /// `nil`: each source is recognised by its first byte, and each object by its keys.
    let format: WarmFormat?
    let items: WarmItemReader

    /// - Parameter deliver: called with each item, and with everything that is none; it may wait.
    func read(_ deliver: (Result<WarmItem, WarmProblem>) async -> Void) async {
        let threads: PayloadThreads
        do throws(SystemError) { threads = try PayloadThreads() } catch {
            return await deliver(.failure(WarmProblem(place: names[0], text: "cannot be read: \(error)")))
        }
        for name in names where !Task.isCancelled {
            do throws(SystemError) {
                let source = try threads.source(of: name)
                let isJSON = try await isJSON(source)
                if isJSON {
                    await readObjects(of: source, name, deliver)
                } else {
                    try await readLines(of: source, name, deliver)
                }
            } catch {
                await deliver(.failure(WarmProblem(place: name, text: "cannot be read: \(error.reason)")))
            }
        }
    }

    private func isJSON(_ source: PayloadSource) async throws(SystemError) -> Bool {
        if let format { return format != .urls }
        return WarmFormat.isJSON(try await source.peek()) ?? false
    }

    private func readLines(
        of source: PayloadSource, _ name: String, _ deliver: (Result<WarmItem, WarmProblem>) async -> Void
    ) async throws(SystemError) {
        var lines = LineBuffer()
        var isAtEnd = false
        while !isAtEnd, !Task.isCancelled {
            let piece = try await source.next()
            isAtEnd = piece.isEmpty
            lines.append(piece)
            for (number, line) in lines.take(isAtEnd: isAtEnd) {
                if let item = items.item(line: line, at: "\(name):\(number)") { await deliver(.success(item)) }
            }
        }
    }

    private func readObjects(
        of source: PayloadSource, _ name: String, _ deliver: (Result<WarmItem, WarmProblem>) async -> Void
    ) async {
        var file = PayloadFile(source)
        while !Task.isCancelled, let object = await file.next() {
            let place = "\(name):\(file.line)"
            switch object {
            case .success(let object):
                do throws(WarmProblem) { await deliver(.success(try items.item(of: object, at: place))) } catch {
                    await deliver(.failure(error))
                }
            case .failure(let problem): await deliver(.failure(WarmProblem(place: place, text: problem.text)))
            }
        }
    }
}
