import Base
import NIOCore
import NIOHTTP1

/// The planner that decides the reply to a request. It opens files, and uses no clock and no socket.
///
/// Faults are read from left to right. A fault that changes the delivery or the file (delay, drip, stall, truncate,
/// header, range, changed …) applies to all segments after it. A fault with a reply of its own (status, redirect, page,
/// bomb) ends the reading. The faults before `flaky` apply to all requests, and the faults after it apply only to the
/// first requests. With `/delay/1s/flaky/2/reset/9/a.jpg`, each response is delayed, the first two responses are reset,
/// and the third response is the file.
struct ReplyPlanner: Sendable {
    let directory: ServedDirectory
    /// The additional headers of each reply.
    let fields: HTTPHeaders
    /// The table of routes; `nil` if the paths of requests name faults and files.
    var routes: (any OriginRouting)?
    /// The seed of all random choices.
    var seed: UInt64 = 0

    /// Returns the key under which requests are counted: the path, or the host and the path if there are routes.
    func key(of head: HTTPRequestHead) -> String {
        let path = OriginRequestPath.path(of: head.uri)
        return routes == nil ? path : Self.host(of: head) + path
    }

    /// Returns the host of a request in lower case, without its port.
    private static func host(of head: HTTPRequestHead) -> String {
        let place = HostAndPort(head.headers.first(name: "Host") ?? "")
        return String(place.host).lowercased()
    }

    /// Returns the reply to a request.
    ///
    /// - Parameter hasBody: Whether the client has sent or announced a body.
    /// - Parameter attempt: The number of this request among those for its path, from 1.
    func reply(to head: HTTPRequestHead, hasBody: Bool, attempt: Int) -> Reply {
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
            if let routes {
                let target = OriginRequestPath.path(of: head.uri)
                guard let path = routes.route(host: Self.host(of: head), path: target) else {
                    return .page(.notFound, "The scenario does not list this path.")
                }
                return reply(for: path, to: head, attempt: attempt)
            }
            let path = try OriginRequestPath(parsing: head.uri)
            if path.faults.isEmpty, path.filePath.isEmpty { return .index(OriginIndex(files: directory.files())) }
            return reply(for: path, to: head, attempt: attempt)
        } catch {
            return .refusal(.badRequest, error.description)
        }
    }

    private func reply(for path: OriginRequestPath, to head: HTTPRequestHead, attempt: Int) -> Reply {
        var options = ReplyOptions()
        var serving = Serving()
        var answer: Reply?
        var chance = Chance(seed: seed, key: key(of: head), attempt: attempt)
        reading: for (index, fault) in path.faults.enumerated() {
            if case .flaky(let failures) = fault {
                let failsByItself = path.leavesNothingToFail(after: index)
                if attempt <= failures, failsByItself {
                    answer = .page(.serviceUnavailable, "Failure \(attempt) of \(failures).")
                    break reading
                }
                if attempt > failures, !failsByItself { break reading }
            } else if case .chance(let percent) = fault {
                let failsByItself = path.leavesNothingToFail(after: index)
                let fails = chance.unit() * 100 < Double(percent)
                if fails, failsByItself {
                    answer = .page(.serviceUnavailable, "A failure of \(percent) % of the requests.")
                    break reading
                }
                if !fails, !failsByItself { break reading }
            } else if case .randomDelay(let median, let sigma) = fault {
                options.delay += chance.delay(median: median, sigma: sigma)
            } else if case .needs(let field) = fault {
                guard !head.headers.contains(name: field) else { continue }
                answer = .page(.forbidden, "The request has no header \(field).")
                break reading
            } else if !options.take(fault), !serving.take(fault) {
                answer = self.answer(to: fault, filePath: path.filePath)
                break reading
            }
        }
        if path.filePath.isEmpty, options.isEndless { answer = answer ?? .endlessZeros }
        var reply = answer ?? file(at: path.filePath, serving, options, to: head, attempt: attempt)
        reply.options = options
        return reply
    }

    /// Returns the reply of a fault that has a reply of its own; `nil` for other faults.
    private func answer(to fault: Fault, filePath: String) -> Reply? {
        switch fault {
        case .status(let code):
            return .page(HTTPResponseStatus(statusCode: code), "This path answers with its status.")
        case .retryAfter(let seconds, let code):
            var reply = Reply.page(HTTPResponseStatus(statusCode: code), "Try again in \(seconds) s.")
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
        default: return nil
        }
    }
}

extension OriginRequestPath {
    /// Returns whether `flaky` must fail with 503, because no fault follows or a redirect has used the rest.
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

    /// The body that `/endless` repeats if no file is named.
    fileprivate static let endlessZeros = Reply(
        status: .ok, fields: ["Content-Type": ContentType.unknown],
        body: .bytes(ByteBuffer(repeating: 0, count: 65_536)))
}
