import Base
import HTTPAPI
import HTTPTypes
import HummingbirdCore

/// The routes of renditions, which phones download.
struct MediaRoutes: Sendable {
    let media: MediaServing

    private static let path: PathPattern = "/v1/media/{group}/{file}"

    var routes: [Route] {
        [
            Route(
                method: .get, path: Self.path, operation: "downloadMedia", scope: nil,
                parameters: .of(.groupInPath, Self.mediaFile, .expires, .signature), isPublic: true,
                prepared: { [media] target, now in media.preparedResponse(to: target, at: now) }, metric: "media",
                summary: "Returns a rendition. Its URL is the `publicURL` of an attachment.",
                outputs: [.media, .part, .notModified], problems: [.forbidden, .otherVersion, .noSuchRange],
                handler: download),
            Route(
                method: .options, path: Self.path, operation: "preflightMedia", scope: nil,
                parameters: .of(.groupInPath, Self.mediaFile, .expires, .signature), isPublic: true, metric: "media",
                summary: "Permits pages of all origins to read a rendition.", outputs: [.permitted]
            ) { arguments throws(Problem) in
                _ = try Self.address(arguments)
                return { _ in
                    var response = Response.noContent
                    response.headers.append(contentsOf: MediaServing.preflight)
                    return .response(response)
                }
            },
        ]
    }

    private func download(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let (head, caller, address) = (arguments.head, arguments.caller, try Self.address(arguments))
        let query = (end: try arguments[.expires], signature: try arguments[.signature])
        return { _ throws(Problem) in try await media.answer(to: head, for: address, query, from: caller) }
    }

    private static func address(_ arguments: RouteArguments) throws(Problem) -> MediaAddress {
        let address = MediaAddress(group: try arguments[.groupInPath], file: try arguments[Self.mediaFile])
        guard let address else { throw .noMedia }
        return address
    }
}

extension MediaRoutes {
    private static let mediaFile = Parameter<String>(
        path: "file", "The name of the file: the SHA-256 of its bytes, and its extension.",
        .pattern("^[0-9a-f]{64}\\.[a-z0-9]{2,5}$"))
}

extension Route.Output {
    private static let bytes: JSONValue = ["type": "string", "format": "binary"]

    fileprivate static let media = Route.Output(
        status: 200, meaning: "The bytes of the file.", type: "*/*", schema: bytes)
    fileprivate static let part = Route.Output(
        status: 206, meaning: "The part of the file that `Range` asks for.", type: "*/*", schema: bytes)
    fileprivate static let notModified = Route.Output(status: 304, meaning: "`If-None-Match` names the file.")
    fileprivate static let permitted = Route.Output(status: 204, meaning: "The methods and fields that pages may use.")
}
