import Authentication
import Base
import HTTPAPI
import HTTPTypes
import NotificationModel

/// The route that prepares media before the notifications that show them are sent.
struct WarmRoutes: Sendable {
    let warming: any WarmAnswering
    let context: CallContext

    var routes: [Route] {
        [
            Route(
                method: .post, path: "/v1/warm", operation: "warmMedia", scope: .warm, body: .init(isKept: true),
                example: .warmLine, metric: "warm",
                summary: "Prepares media, and writes a line for each item when it is complete.",
                outputs: [.lines("One line of JSON for each item, in the order in which the items end.")],
                problems: [.tooLarge, .full, .oldHTTP], handler: warm)
        ]
    }

    private func warm(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let groups = arguments.caller.groups
        return { input throws(Problem) in
            try context.checkAccepting()
            return .lines(
                .init { [warming, input = consume input] write in
                    await warming.answer(input.body, in: groups) { values in
                        await write(values.flatMap { JSONWriter.bytes(of: $0) + [UInt8(ascii: "\n")] })
                    }
                    withExtendedLifetime(input.lease) {}
                })
        }
    }
}

extension Route.BodyExample {
    fileprivate static let warmLine = lines("{\"url\":\"https://media.example.com/1.jpg\",\"profiles\":[\"ios\"]}\n")
}
