import Authentication
package import Base
import HTTPAPI
import HTTPTypes
import HummingbirdCore
package import NotificationModel

/// The routes of batches, whose bodies have one request in each line.
struct BatchRoutes: Sendable {
    /// The path of batches, whose bodies may have many short lines.
    static let path = PathPattern.batch

    let batches: any BatchIntake
    let context: CallContext

    var routes: [Route] {
        [
            Route(
                method: .post, path: Self.path, operation: "submitBatch", scope: .submit,
                parameters: .of(.group, Self.dryRun, Self.preferAsync, Self.batchKey, SubmitOptions.requestTimeout),
                body: .init(isStreamed: true), example: .batch, concernsRequests: true, metric: "batch",
                summary: "Processes a request in each line, and writes each result when it is complete.",
                outputs: [.resultLines, .accepted], components: ["Batch": Self.schema],
                problems: [.idInUse, .tooLarge, .full, .storageFailed, .oldHTTP]
            ) { arguments throws(Problem) in
                let options = try BatchOptions(arguments)
                return { input throws(Problem) in try await submit(options, consume input) }
            },
            Route(
                method: .get, path: "/v1/batches/{id}", operation: "getBatch", scope: .read,
                parameters: .of(Self.batchID), concernsRequests: true, metric: "look",
                summary: "Returns the state and the counts of a stored batch.",
                outputs: [.json("The state of the batch.", .component("Batch"))], handler: state),
            Route(
                method: .get, path: "/v1/batches/{id}/results", operation: "getBatchResults", scope: .read,
                parameters: .of(Self.batchID, Self.after), concernsRequests: true, metric: "results",
                summary: "Returns the results of a stored batch that exist already.", outputs: [.resultLines],
                problems: [.full, .oldHTTP], handler: results),
            Route(
                method: .delete, path: "/v1/batches/{id}", operation: "cancelBatch", scope: .cancel,
                parameters: .of(Self.batchID), concernsRequests: true, metric: "cancel",
                summary: "Cancels the requests of a stored batch that are not emitted yet.", outputs: [.cancelled],
                problems: [.alreadyEmitted], handler: cancel),
            Route(
                method: .delete, path: "/v1/batches/{id}/results", operation: "deleteBatch", scope: .cancel,
                parameters: .of(Self.batchID), concernsRequests: true, metric: "cancel",
                summary: "Cancels a stored batch if it runs, and removes the batch with its results.",
                outputs: [.removed], handler: remove),
        ]
    }

    /// Processes, plans or stores the lines of a body.
    private func submit(_ options: BatchOptions, _ input: consuming Route.Input) async throws(Problem) -> Route.Answer {
        try context.checkAccepting()
        guard let body = input.stream else { throw Problem(.internal, "The body is missing.") }
        var call = options.call
        call.trace = input.trace
        if options.preferences.respondsAsync { return .response(try await store(call, as: options.id, body)) }
        let slot = try context.lineSlot(for: options.caller, remedy: ", or prefer respond-async")
        call.stop = context.draining
        call.waitsForReader = { body.wait(forReader: $0) }
        return .lines(
            .init(endsWhenDraining: true) { [call, batches, permit = input.permit] write in
                if let run = options.dryRun {
                    await batches.plan(call, body, as: run, write: write)
                } else {
                    await batches.process(call, body, write: write)
                }
                slot.leave()
                withExtendedLifetime(permit) {}
            })
    }

    private func store(_ call: BatchCall, as id: RequestID?, _ body: StreamedBody) async throws(Problem) -> Response {
        switch await batches.store(call, as: id, body) {
        case .accepted(let id), .joined(let id):
            let state = await batches.state(of: id, of: call.owner) ?? ["id": .string(id.description)]
            var response = Response.json(.object(state), status: .accepted)
            response.headers[.location] = "/v1/batches/\(id)"
            response.headers[.preferenceApplied] = "respond-async"
            return response
        case .conflict(let id):
            throw Problem(
                .idInUse, "A batch with another body has the id \(id).", members: ["id": .string(id.description)])
        case .full(let sentence): throw Problem(.full, "\(sentence) Try again in 60 s.", headers: [.retryAfter: "60"])
        case .tooLarge(let most):
            throw Problem(.tooLarge, "A batch can have at most \(most) bytes.", members: ["most": .number(most)])
        case .truncated: throw Problem(.badRequest, "The body is truncated, or its chunks are malformed.")
        case .failed: throw Problem(.storageFailed, "The batch was not stored. Try again later.")
        case .closing: throw .ending
        }
    }

    private func state(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let (id, owner) = (try arguments[.id], arguments.caller.name)
        return { _ throws(Problem) in
            guard let state = await batches.state(of: id, of: owner) else { throw .unknownBatch(id) }
            return .json(.object(state))
        }
    }

    private func results(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let (id, count, caller) = (try arguments[.id], try arguments[Self.after], arguments.caller)
        return { _ throws(Problem) in
            guard let write = await batches.results(of: id, of: caller.name, after: count) else {
                throw .unknownBatch(id)
            }
            let slot = try context.lineSlot(for: caller)
            return .lines(
                .init { body in
                    await write(body)
                    slot.leave()
                })
        }
    }

    private func remove(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let (id, owner) = (try arguments[.id], arguments.caller.name)
        return { _ throws(Problem) in
            switch await batches.remove(id, of: owner) {
            case .cancelled, .alreadyEmitted: return .noContent
            case .unknown: throw .unknownBatch(id)
            case .closing: throw .ending
            }
        }
    }

    private func cancel(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let (id, owner) = (try arguments[.id], arguments.caller.name)
        return { _ throws(Problem) in
            switch await batches.cancel(id, of: owner) {
            case .cancelled: return .noContent
            case .alreadyEmitted:
                throw Problem(
                    .alreadyEmitted, "The batch '\(id)' has ended: it is too late to cancel it.",
                    members: ["id": .string(id.description)])
            case .unknown: throw .unknownBatch(id)
            case .closing: throw .ending
            }
        }
    }
}

extension Route.Output {
    fileprivate static let resultLines = lines(
        "One line of JSON for each line of the batch, in the order in which the requests end.")
    fileprivate static let accepted = json(
        status: 202, "The batch is durable, and `Location` is the path of its state.", .component("Batch"))
    fileprivate static let removed = Route.Output(status: 204, meaning: "The batch is removed.")
    fileprivate static let cancelled = Route.Output(
        status: 204, meaning: "No further line is read, and all requests of the batch have their results.")
}

extension Route.BodyExample {
    fileprivate static let batch = lines(
        "{\"template\":{\"payload\":{\"aps\":{\"alert\":{\"title\":\"Summer\",\"body\":\"Hello\"},\"mutable-content\":1},\"image\":\"https://media.example.com/1.jpg\"}}}\n"
            + "{\"id\":\"summer-1\",\"recipient\":\"anna\",\"payload\":{\"aps\":{\"alert\":{\"body\":\"Hello Anna\"}}}}\n"
    )
}

extension Problem {
    /// Creates the problem of an id that no batch of the caller has.
    fileprivate static func unknownBatch(_ id: RequestID) -> Problem {
        Problem(.notFound, "There is no batch '\(id)'.", members: ["id": .string(id.description)])
    }

    /// Returns the error of a line of a batch.
    init(_ error: BatchLineError) {
        switch error {
        case .tooLong(let most): self.init(.tooLarge, "A line can have at most \(most) bytes.")
        case .tooMany(let most):
            self.init(.tooLarge, "A batch can have at most \(most) lines. The lines from this one on are not read.")
        case .bodyTooLarge(let most):
            self.init(.tooLarge, "A batch can have at most \(most) bytes. The lines from this one on are not read.")
        case .tooComplex: self.init(.tooLarge, "The values of the line take too much memory.")
        case .notJSON(let error):
            self.init(.notJSON, "A line must be one JSON object: column \(error.column): \(error.problem).")
        case .notObject(let type): self.init(.notJSON, "A line must be one JSON object, but it is \(type).")
        case .unusable(let error): self.init(of: .unusable(error))
        case .refused(let admission): self.init(of: admission)
        }
    }

    private init(of admission: Admission) {
        do throws(Problem) {
            _ = try admission.key()
            self.init(.internal, "The result is missing.")
        } catch { self = error }
    }
}

/// The errors of lines as problems, for the batches.
package enum BatchProblems {
    /// Returns the problem of a line (RFC 9457).
    package static func json(of error: BatchLineError) -> JSONValue { Problem(error).json }
}

extension BatchRoutes {
    /// The schema of a stored batch.
    private static let schema: JSONValue = .object(of: [
        "id": .anyText, "state": ["type": "string", "enum": ["running", "ended", "cancelled"]],
        "reason": ["type": ["string", "null"], "enum": ["erased", .null]],
        "waitingFor": ["type": ["string", "null"], "enum": ["quota", .null]], "createdAt": .anyText,
        "endedAt": ["type": ["string", "null"]], "expiresAt": ["type": ["string", "null"]],
        "plan": ["type": ["object", "null"]],
        "counts": .object(of: [
            "lines": .component("Count"), "errors": .component("Count"),
            "outcomes": ["type": "object", "additionalProperties": .component("Count")],
            "reasons": ["type": "object", "additionalProperties": .component("Count")],
            "originFetches": .component("Count"), "bytesSaved": .component("Count"),
        ]), "results": .anyText,
    ])
}
