import Authentication
import HTTPTypes
import HummingbirdCore
package import JSON
package import NotificationModel
import Primitives

/// The handlers of batches.
extension RouteHandlers {
    /// Processes, plans or stores the lines of a body.
    func submitBatch(_ options: BatchOptions, _ input: consuming Route.Input) async throws(Problem) -> Answer {
        guard !daemon.isDraining else { throw Self.ending }
        let batches = try intake()
        guard let body = input.stream else { throw Problem(.internal, "The body is missing.") }
        var call = options.call
        call.trace = input.trace
        if options.preferences.respondsAsync {
            return .response(try await store(call, as: options.id, body, in: batches))
        }
        guard let place = batchPlaces.take(by: options.caller) else {
            throw Problem(
                .full, "All places for batches are in use. Try again in 5 s, or prefer respond-async.",
                members: ["most": .number(batchPlaces.most)], headers: [.retryAfter: "5"])
        }
        call.stop = daemon.draining
        return .lines(
            .init(endsWhenDraining: true) { [call, permit = input.permit] write in
                if let run = options.dryRun {
                    await batches.plan(call, body, as: run, write: write)
                } else {
                    await batches.process(call, body, write: write)
                }
                place.leave()
                withExtendedLifetime(permit) {}
            })
    }

    private func store(
        _ call: BatchCall, as id: RequestID?, _ body: StreamedBody, in batches: any BatchIntake
    ) async throws(Problem) -> Response {
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
        case .full(let sentence):
            throw Problem(.full, "\(sentence) Try again in 60 s.", headers: [.retryAfter: "60"])
        case .tooLarge(let most):
            throw Problem(.tooLarge, "A batch can have at most \(most) bytes.", members: ["most": .number(most)])
        case .truncated: throw Problem(.badRequest, "The body is truncated, or its chunks are malformed.")
        case .failed: throw Problem(.storageFailed, "The batch was not stored. Try again later.")
        case .closing: throw Self.ending
        }
    }

    func lookAtBatch(_ id: RequestID, of caller: Caller) async throws(Problem) -> Response {
        guard let state = try await intake().state(of: id, of: caller.name) else { throw .unknownBatch(id) }
        return .json(.object(state))
    }

    func batchResults(_ id: RequestID, after count: Int, of caller: Caller) async throws(Problem) -> Answer {
        guard let write = try await intake().results(of: id, of: caller.name, after: count) else {
            throw .unknownBatch(id)
        }
        return .lines(.init(run: write))
    }

    func cancelBatch(_ id: RequestID, of caller: Caller) async throws(Problem) -> Response {
        switch try await intake().cancel(id, of: caller.name) {
        case .cancelled: return .noContent
        case .alreadyEmitted:
            throw Problem(
                .alreadyEmitted, "The batch '\(id)' has ended: it is too late to cancel it.",
                members: ["id": .string(id.description)])
        case .unknown: throw .unknownBatch(id)
        case .closing: throw Self.ending
        }
    }

    private func intake() throws(Problem) -> any BatchIntake {
        guard let batches else { throw Problem(.notFound, "This server has no batches.") }
        return batches
    }
}

/// The options of a batch, from the target and the header fields of its HTTP request.
struct BatchOptions: Sendable {
    let caller: Caller
    let call: BatchCall
    /// The value of `Idempotency-Key`; `nil` if the request has no such field.
    let id: RequestID?
    let preferences: Preferences
    let dryRun: DryRun?

    init(_ arguments: RouteArguments) throws(Problem) {
        let options = try SubmitOptions(arguments.head, group: arguments.group())
        caller = arguments.caller
        call = BatchCall(
            owner: caller.name, groups: caller.groups, group: options.group, budget: options.budget)
        id = options.id
        preferences = options.preferences
        if let name = try arguments.target.parameter("dry-run") {
            guard let run = DryRun(rawValue: name) else {
                throw .parameter(
                    "dry-run", "is \"\(VisibleText.short(name, most: 64))\", which is neither lint nor fetch.")
            }
            guard !preferences.respondsAsync else {
                throw .parameter("dry-run", "has its answer in the response: leave out Prefer: respond-async.")
            }
            dryRun = run
        } else {
            dryRun = nil
        }
    }
}

extension Problem {
    /// Creates the problem of a call that finds no place for a long response.
    static func noBatchPlace(most: Int) -> Problem {
        Problem(
            .full, "All places for batches are in use. Try again in 5 s.",
            members: ["most": .number(most)], headers: [.retryAfter: "5"])
    }

    /// Creates the problem of an id that no batch of the caller has.
    static func unknownBatch(_ id: RequestID) -> Problem {
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
            _ = try RouteHandlers.key(of: admission)
            self.init(.internal, "The result is missing.")
        } catch {
            self = error
        }
    }
}

/// The errors of lines as problems, for the batches.
package enum BatchProblems {
    /// Returns the problem of a line (RFC 9457).
    package static func json(of error: BatchLineError) -> JSONValue { Problem(error).json }
}
