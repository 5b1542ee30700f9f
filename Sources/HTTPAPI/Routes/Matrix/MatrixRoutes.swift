import Authentication
import JSON
import NotificationModel
import Primitives

extension RouteHandlers {
    /// Makes a request for each device of a homeserver's push, and answers when all of them are durable.
    ///
    /// The devices are taken one after the other. If there is no more room for one of them, the homeserver repeats the
    /// push, and the requests of the earlier devices are joined.
    ///
    /// - Returns: The response with the push keys that are dead.
    func notify(_ input: consuming Route.Input, from caller: Caller) async throws(Problem) -> Answer {
        try matrix.checkAccess()
        guard !daemon.isDraining else { throw Self.ending }
        let arrival = clock.reading
        let taken = await Task(executorPreference: large.executor(forBytes: input.body.count)) {
            [self, input = consume input] in await take(input, from: caller, at: arrival)
        }.value
        let rejected = try taken.get()
        return .response(.json(["rejected": .array(rejected.map { .string($0) })]))
    }

    private func take(
        _ input: consuming Route.Input, from caller: Caller, at arrival: ClockReading
    ) async -> Result<[String], Problem> {
        do throws(Problem) {
            let lease = try await values.leaseForValues(of: input.body) ?? input.lease
            let push = MatrixPush(try MatrixError.object(input.body), apps: matrix.apps)
            var rejected: [String] = []
            for device in push.devices {
                switch device {
                case .failure(let error): matrix.record(.unusable, error.rawValue, at: clock.now)
                case .success(let device):
                    guard await !matrix.isDead(device.group, device.pushKey) else {
                        matrix.record(.rejected, at: clock.now)
                        rejected.append(device.pushKey)
                        continue
                    }
                    // The journal keeps the envelope, from which the next daemon restores the request.
                    var submission = Submission(
                        body: JSONWriter.bytes(of: .object(device.envelope)), object: device.envelope,
                        channel: .detached, arrival: arrival, lease: lease)
                    submission.permittedGroups = caller.groups
                    submission.trace = input.trace
                    submission.permit = try caller == .homeserver ? matrix.permit(at: clock.now) : input.permit
                    try record(await coordinator.submit(submission))
                }
            }
            return .success(rejected)
        } catch {
            return .failure(error)
        }
    }

    /// Records what became of a device's request.
    ///
    /// - Throws: The problem of a request that the homeserver should send again later.
    private func record(_ admission: Admission) throws(Problem) {
        switch admission {
        case .accepted, .emitted: matrix.record(.accepted, at: clock.now)
        // The numbers of unread messages may have changed since the first attempt, so the bodies may differ.
        case .joined, .conflict: matrix.record(.joined, at: clock.now)
        case .unusable(let error): matrix.record(.unusable, "its \(error.key) is refused", at: clock.now)
        case .full, .groupFull, .closing, .failed: _ = try Self.key(of: admission)
        }
    }
}
