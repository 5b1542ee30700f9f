import Authentication
import Base
import HTTPAPI
import HTTPTypes
import NotificationModel

/// The routes of the push gateway for homeservers, at its two paths.
struct MatrixRoutes: Sendable {
    let gateway: MatrixGateway
    let coordinator: any RequestIntake
    let context: CallContext

    var routes: [Route] {
        routes(at: MatrixGateway.path, "notifyMatrixDevices", "discoverMatrixGateway")
            + routes(at: MatrixGateway.otherPath, "notifySDNDevices", "discoverSDNGateway")
    }

    private func routes(at path: PathPattern, _ notify: String, _ discover: String) -> [Route] {
        [
            Route(
                method: .post, path: path, operation: notify, scope: .submit, parameters: nil,
                body: .init(maxBytes: MatrixGateway.maxBytes), example: .matrixPush, concernsRequests: true,
                foreign: gateway, metric: "matrix", summary: "Makes a request for each device of a homeserver's push.",
                outputs: [.rejectedPushKeys], problems: [.notJSON, .notFound, .tooLarge, .full, .storageFailed]
            ) { arguments in
                let caller = arguments.caller
                return { input throws(Problem) in try await self.notify(consume input, from: caller) }
            },
            Route(
                method: .get, path: path, operation: discover, scope: nil, parameters: nil, foreign: gateway,
                metric: "matrix", summary: "Answers that a push gateway is here, as clients of UnifiedPush ask.",
                outputs: [.unifiedPush], problems: [.notFound]
            ) { _ in
                { _ throws(Problem) in
                    try gateway.checkAccess()
                    return .json(["unifiedpush": ["gateway": "matrix"]])
                }
            },
        ]
    }

    /// Makes a request for each device of a homeserver's push, and answers when all of them are durable.
    ///
    /// The devices are taken one after the other. If there is no more room for one of them, the homeserver repeats the
    /// push, and the requests of the earlier devices are joined.
    ///
    /// - Returns: The response with the push keys that are dead.
    private func notify(_ input: consuming Route.Input, from caller: Caller) async throws(Problem) -> Route.Answer {
        try gateway.checkAccess()
        try context.checkAccepting()
        let arrival = context.clock.reading
        let taken = await Task(executorPreference: context.large.executor(forBytes: input.body.count)) {
            [self, input = consume input] in await take(input, from: caller, at: arrival)
        }.value
        let rejected = try taken.get()
        return .json(["rejected": .array(rejected.map { .string($0) })])
    }

    private func take(_ input: consuming Route.Input, from caller: Caller, at arrival: ClockReading) async -> Result<
        [String], Problem
    > {
        do throws(Problem) {
            let lease = try await context.values.leaseForValues(of: input.body) ?? input.lease
            let push = MatrixPush(
                try JSONObject.read(input.body, members: ["errcode": "M_BAD_JSON"]), apps: gateway.apps)
            var rejected: [String] = []
            for device in push.devices {
                switch device {
                case .failure(let error): gateway.record(.unusable, error.rawValue, at: context.clock.now)
                case .success(let device):
                    guard await !gateway.isDead(device.group, device.pushKey) else {
                        gateway.record(.rejected, at: context.clock.now)
                        rejected.append(device.pushKey)
                        continue
                    }
                    // The journal keeps the envelope, from which the next daemon restores the request.
                    var submission = Submission(
                        body: JSONWriter.bytes(of: .object(device.envelope)), object: device.envelope,
                        channel: .detached, arrival: arrival, lease: lease)
                    submission.permittedGroups = caller.groups
                    submission.trace = input.trace
                    submission.permit = try caller == .homeserver ? gateway.permit(at: context.clock.now) : input.permit
                    try record(await coordinator.submit(submission))
                }
            }
            return .success(rejected)
        } catch { return .failure(error) }
    }

    /// Records what became of a device's request.
    ///
    /// - Throws: The problem of a request that the homeserver should send again later.
    private func record(_ admission: Admission) throws(Problem) {
        switch admission {
        case .accepted, .emitted: gateway.record(.accepted, at: context.clock.now)
        // The numbers of unread messages may have changed since the first attempt, so the bodies may differ.
        case .joined, .conflict: gateway.record(.joined, at: context.clock.now)
        case .unusable(let error): gateway.record(.unusable, "its \(error.key) is refused", at: context.clock.now)
        case .full, .groupFull, .closing, .failed: _ = try admission.key()
        }
    }
}

extension Route.Output {
    fileprivate static let rejectedPushKeys = json(
        "The requests of all devices are durable. `rejected` has the push keys that are dead.",
        .object(of: ["rejected": ["type": "array", "items": .anyText]]))
    fileprivate static let unifiedPush = json(
        "The kind of the push gateway.",
        .object(of: ["unifiedpush": .object(of: ["gateway": ["type": "string", "const": "matrix"]])]))
}

extension Route.BodyExample {
    fileprivate static let matrixPush = Route.BodyExample(
        type: "application/json",
        schema: [
            "type": "object",
            "description": "The body of the Push Gateway API of Matrix. A device that cannot be used is left out.",
        ],
        value: [
            "notification": [
                "event_id": "$3957tyerfgewrf384", "room_id": "!slw48wfj34rtnrf:example.com", "type": "m.room.message",
                "sender_display_name": "Major Tom", "room_name": "Mission Control", "prio": "high",
                "content": ["msgtype": "m.text", "body": "I am floating in a most peculiar way."],
                "counts": ["unread": 2],
                "devices": [
                    ["app_id": "com.example.app.ios.dev", "pushkey": "V2h5IG9uIGVhcnRo", "tweaks": ["sound": "bing"]]
                ],
            ]
        ])
}
