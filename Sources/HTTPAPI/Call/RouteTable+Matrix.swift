import Authentication
import HTTPTypes
import JSON

extension RouteTable {
    /// The routes of the push gateway for homeservers, at its two paths.
    static let matrixRoutes =
        matrixRoutes(at: MatrixGateway.path, "notifyMatrixDevices", "discoverMatrixGateway")
        + matrixRoutes(at: MatrixGateway.otherPath, "notifySDNDevices", "discoverSDNGateway")

    private static func matrixRoutes(at path: PathPattern, _ notify: String, _ discover: String) -> [Route] {
        [
            Route(
                method: .post, path: path, operation: notify, scope: .submit, parameters: nil,
                body: .init(mostBytes: MatrixGateway.mostBytes), example: .matrixPush, concernsRequests: true,
                isOfMatrix: true, metric: "matrix", summary: "Makes a request for each device of a homeserver's push.",
                outputs: [.rejectedPushKeys], problems: [.notJSON, .notFound, .tooLarge, .full, .storageFailed]
            ) { arguments in
                let caller = arguments.caller
                return { handlers, input throws(Problem) in try await handlers.notify(consume input, from: caller) }
            },
            Route(
                method: .get, path: path, operation: discover, scope: nil, parameters: nil, isOfMatrix: true,
                metric: "matrix", summary: "Answers that a push gateway is here, as clients of UnifiedPush ask.",
                outputs: [.unifiedPush], problems: [.notFound]
            ) { _ in
                { handlers, _ throws(Problem) in
                    try handlers.matrix.checkAccess()
                    return .response(.json(["unifiedpush": ["gateway": "matrix"]]))
                }
            },
        ]
    }
}

extension Route.Output {
    fileprivate static let rejectedPushKeys = Route.Output(
        status: 200, meaning: "The requests of all devices are durable. `rejected` has the push keys that are dead.",
        type: "application/json",
        schema: .object(of: ["rejected": ["type": "array", "items": ["type": "string"]]]))
    fileprivate static let unifiedPush = Route.Output(
        status: 200, meaning: "The kind of the push gateway.", type: "application/json",
        schema: .object(of: ["unifiedpush": .object(of: ["gateway": ["type": "string", "const": "matrix"]])]))
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
                    [
                        "app_id": "com.example.app.ios.dev", "pushkey": "V2h5IG9uIGVhcnRo",
                        "tweaks": ["sound": "bing"],
                    ]
                ],
            ]
        ])
}
