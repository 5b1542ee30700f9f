import NIOCore
package import NIOHTTP1

/// Decides what a request is answered with. It opens files and does nothing else: no clock, no socket, no count.
///
/// Faults are read left to right. One that changes the manner (delay, drip, stall, truncate, reset, lie, endless) wraps
/// all that stands right of it; one that answers itself (status, redirect, page, bomb, flaky while it fails) ends the
/// reading. So `/delay/1s/flaky/2/reset/9/a.jpg` is late three times, and resets the third time only.
package struct ReplyPlanner: Sendable {
    private let folder: ServedFolder

    package init(folder: ServedFolder) { self.folder = folder }

    /// - Parameters:
    ///   - hasBody: whether the client sent, or announced, a body.
    ///   - attempt: the number of this request among those for its path, from 1.
    package func reply(to head: HTTPRequestHead, hasBody: Bool, attempt: Int) -> Reply {
        guard head.method == .GET || head.method == .HEAD else {
            var reply = Reply.refusal(.methodNotAllowed, "GET and HEAD only.", closing: hasBody)
            reply.fields.add(name: "Allow", value: "GET, HEAD")
            return reply
        }
        guard !hasBody else { return .refusal(.payloadTooLarge, "Requests here have no body.", closing: true) }
        do throws(OriginPathError) {
            let path = try OriginRequestPath(parsing: head.uri)
            return reply(to: path, conditions: head.headers, attempt: attempt)
        } catch {
            return .refusal(.badRequest, error.description)
        }
    }

    private func reply(to path: OriginRequestPath, conditions: HTTPHeaders, attempt: Int) -> Reply {
        var manner = Manner()
        var answer: Reply?
        for fault in path.faults {
            switch fault {
            case .delay(let duration): manner.delay += duration
            case .drip(let duration): manner.drip = max(duration, manner.drip ?? .zero)
            case .stallHeaders: manner.isSilent = true
            case .cut(let cut): manner.add(cut)
            case .lyingType: manner.liesAboutType = true
            case .lyingLength: manner.liesAboutLength = true
            case .endless: manner.isEndless = true
            default: answer = self.answer(to: fault, filePath: path.filePath, attempt: attempt)
            }
            if answer != nil { break }
        }
        var reply =
            answer
            ?? (path.filePath.isEmpty && manner.isEndless
                ? .endlessZeros : file(at: path.filePath, conditions: conditions))
        reply.manner = manner
        return reply
    }

    /// The reply of a fault that answers itself; `nil` for a flaky path that works by now.
    private func answer(to fault: Fault, filePath: String, attempt: Int) -> Reply? {
        switch fault {
        case .status(let code):
            return .page(HTTPResponseStatus(statusCode: code), "This path answers with its status.")
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
            if bomb == .gzip { reply.fields.add(name: "Content-Encoding", value: "gzip") }
            return reply
        case .flaky(let failures):
            return attempt > failures ? nil : .page(.serviceUnavailable, "Failure \(attempt) of \(failures).")
        default:
            return nil
        }
    }

    private func file(at path: String, conditions: HTTPHeaders) -> Reply {
        do throws(FileRefusal) {
            let file = try folder.file(at: path)
            let fields: HTTPHeaders = [
                "Content-Type": file.contentType, "ETag": file.entityTag, "Last-Modified": file.lastModified,
                "Accept-Ranges": "none",
            ]
            let isKnown = conditions.match(file)
            return Reply(status: isKnown ? .notModified : .ok, fields: fields, body: isKnown ? .empty : .file(file))
        } catch {
            switch error {
            case .notFound: return .page(.notFound, "There is no such page.")
            case .unreadable(let errno):
                return .page(.internalServerError, "The file cannot be read (errno \(errno)).")
            }
        }
    }
}

extension HTTPHeaders {
    /// Whether the client has the file already (RFC 9110, section 13.1). `If-None-Match`, where sent, decides alone.
    fileprivate func match(_ file: ServedFile) -> Bool {
        let tags = self[canonicalForm: "If-None-Match"]
        guard tags.isEmpty else {
            return tags.contains { $0 == "*" || $0 == file.entityTag || $0 == "W/" + file.entityTag }
        }
        // Only the origin's own date comes back from a cache, so an equal one is the one that counts.
        return first(name: "If-Modified-Since") == file.lastModified
    }
}

extension Reply {
    /// What `/endless` repeats where no file is named.
    fileprivate static let endlessZeros = Reply(
        status: .ok, fields: ["Content-Type": ContentType.unknown],
        body: .bytes(ByteBuffer(repeating: 0, count: 65_536)))
}
