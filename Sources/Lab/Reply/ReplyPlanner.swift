import NIOCore
package import NIOHTTP1

/// Decides what a request is answered with. It opens files and does nothing else: no clock, no socket, no count.
///
/// Faults are read left to right. One that changes the manner or the file (delay, drip, stall, truncate, header, range,
/// changed …) wraps all that stands right of it; one that answers itself (status, redirect, page, bomb) ends the
/// reading. Flaky stands between what always happens and what happens to the first requests only: of
/// `/delay/1s/flaky/2/reset/9/a.jpg` each request is late, the first two are reset, and the third gets the file.
package struct ReplyPlanner: Sendable {
    let directory: ServedDirectory
    /// Header fields that every reply has.
    private let fields: HTTPHeaders

    package init(directory: ServedDirectory, fields: HTTPHeaders = [:]) {
        self.directory = directory
        self.fields = fields
    }

    /// - Parameters:
    ///   - hasBody: whether the client sent, or announced, a body.
    ///   - attempt: the number of this request among those for its path, from 1.
    package func reply(to head: HTTPRequestHead, hasBody: Bool, attempt: Int) -> Reply {
        var reply = plannedReply(to: head, hasBody: hasBody, attempt: attempt)
        reply.fields.add(contentsOf: fields)
        return reply
    }

    private func plannedReply(to head: HTTPRequestHead, hasBody: Bool, attempt: Int) -> Reply {
        guard head.method == .GET || head.method == .HEAD else {
            var reply = Reply.refusal(.methodNotAllowed, "GET and HEAD only.", closing: hasBody)
            reply.fields.add(name: "Allow", value: "GET, HEAD")
            return reply
        }
        guard !hasBody else { return .refusal(.payloadTooLarge, "Requests here have no body.", closing: true) }
        do throws(OriginPathError) {
            let path = try OriginRequestPath(parsing: head.uri)
            if path.faults.isEmpty, path.filePath.isEmpty { return .index(OriginIndex(files: directory.files())) }
            return reply(for: path, to: head, attempt: attempt)
        } catch {
            return .refusal(.badRequest, error.description)
        }
    }

    private func reply(for path: OriginRequestPath, to head: HTTPRequestHead, attempt: Int) -> Reply {
        var manner = Manner()
        var serving = Serving()
        var answer: Reply?
        reading: for (index, fault) in path.faults.enumerated() {
            if case .flaky(let failures) = fault {
                let failsByItself = path.leavesNothingToFail(after: index)
                if attempt <= failures, failsByItself {
                    answer = .page(.serviceUnavailable, "Failure \(attempt) of \(failures).")
                    break reading
                }
                if attempt > failures, !failsByItself { break reading }
            } else if !manner.take(fault), !serving.take(fault) {
                answer = self.answer(to: fault, filePath: path.filePath)
                break reading
            }
        }
        var reply =
            answer
            ?? (path.filePath.isEmpty && manner.isEndless
                ? .endlessZeros : file(at: path.filePath, serving, manner, to: head, attempt: attempt))
        reply.manner = manner
        return reply
    }

    /// The reply of a fault that answers itself.
    private func answer(to fault: Fault, filePath: String) -> Reply? {
        switch fault {
        case .status(let code):
            return .page(HTTPResponseStatus(statusCode: code), "This path answers with its status.")
        case .retryAfter(let seconds, let code):
            var reply = Reply.page(HTTPResponseStatus(statusCode: code), "Come again in \(seconds) s.")
            reply.fields.add(name: "Retry-After", value: String(seconds))
            return reply
        case .redirect(let location):
            var reply = Reply.page(.found, "This path answers with a redirect.")
            reply.fields.add(name: "Location", value: location)
            return reply
        case .page:
            var reply = Reply.page(.notFound, "There is no such page.")
            reply.status = .ok
            reply.fields.replaceOrAdd(name: "Content-Type", value: ContentType.named(by: filePath))
            return reply
        case .bomb(let bomb):
            var reply = Reply(
                status: .ok, fields: ["Content-Type": bomb == .png ? "image/png" : ContentType.named(by: filePath)],
                body: .bytes(ByteBuffer(bytes: bomb.content)))
            if let coding = bomb.coding { reply.fields.add(name: "Content-Encoding", value: coding.rawValue) }
            return reply
        default:
            return nil
        }
    }
}

extension OriginRequestPath {
    /// Whether a flaky fault has to fail by itself: it is the last one, or a redirect has taken the file with it.
    fileprivate func leavesNothingToFail(after index: Int) -> Bool {
        if case .redirect = faults.last { return true }
        return index == faults.endIndex - 1
    }
}

extension Reply {
    fileprivate static func index(_ index: OriginIndex) -> Reply {
        Reply(
            status: .ok, fields: ["Content-Type": "text/plain; charset=utf-8"],
            body: .bytes(ByteBuffer(string: index.text)))
    }

    /// What `/endless` repeats where no file is named.
    fileprivate static let endlessZeros = Reply(
        status: .ok, fields: ["Content-Type": ContentType.unknown],
        body: .bytes(ByteBuffer(repeating: 0, count: 65_536)))
}
