import Authentication
import Base
import HTTPTypes
import NotificationModel

/// The description of the API in the form of OpenAPI 3.1, which follows from the table of routes. `docs/schema` has a
/// copy of it.
enum OpenAPIDocument {
    static func json(of table: RouteTable) -> JSONValue {
        let bearer: JSONValue = [
            "type": "http", "scheme": "bearer",
            "description":
                "A token of `auth.tokens`, or a JSON Web Token of `auth.issuers`. Loopback and the unix socket need none by default.",
        ]
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "appgroupd", "version": "1",
                "description":
                    "Rich push payloads in, processed notification content out. The guide is docs/use/http.md.",
            ], "servers": [["url": "/"]], "security": [["bearer": []], [:]], "paths": .object(paths(of: table)),
            "components": ["securitySchemes": ["bearer": bearer], "schemas": .object(schemas(of: table))],
        ]
    }

    private static func paths(of table: RouteTable) -> JSONObject {
        table.paths.reduce(into: JSONObject()) { paths, path in
            let routes = table.routes.filter { $0.path == path }
            paths.append(
                path.description,
                .object(
                    routes.reduce(into: JSONObject()) { item, route in
                        item.append(route.method.rawValue.lowercased(), operation(of: route))
                    }))
        }
    }

    private static func operation(of route: Route) -> JSONValue {
        var operation: JSONObject = ["operationId": .string(route.operation), "summary": .string(route.summary)]
        if let scope = route.scope {
            operation.append("description", .string("Needs the scope `\(scope.rawValue)`."))
            operation.append("x-scope", .string(scope.rawValue))
        } else {
            operation.append("security", [])
        }
        if let parameters = route.parameters, !parameters.isEmpty {
            operation.append("parameters", .array(parameters.map(\.json)))
        }
        if let example = route.example {
            let media: JSONValue = ["schema": example.schema, "example": example.value]
            operation.append("requestBody", ["required": true, "content": .object([example.type: media])])
        }
        operation.append("responses", .object(responses(of: route)))
        return .object(operation)
    }

    private static func responses(of route: Route) -> JSONObject {
        var responses = JSONObject()
        for output in route.outputs {
            var response: JSONObject = ["description": .string(output.meaning)]
            if let type = output.type, let schema = output.schema {
                response.append("content", .object([type: ["schema": schema]]))
            }
            responses.append("\(output.status)", .object(response))
        }
        let kinds = Dictionary(grouping: problems(of: route), by: \.status.code)
        for (code, kinds) in kinds.sorted(by: { $0.key < $1.key }) where responses["\(code)"] == nil {
            let types = kinds.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            if let foreign = route.foreign {
                responses.append("\(code)", foreign.errorDescription)
                continue
            }
            responses.append(
                "\(code)",
                [
                    "description": .string("A problem (RFC 9457) of the type \(types)."),
                    "content": ["application/problem+json": ["schema": .component("Problem")]],
                ])
        }
        return responses
    }

    /// The problems that a route may have.
    private static func problems(of route: Route) -> [Problem.Kind] {
        var kinds: [Problem.Kind] = [.badRequest, .wrongHost]
        if route.scope != nil { kinds += [.unauthenticated, .forbidden, .limited] }
        if route.path.hasParameter { kinds.append(.notFound) }
        if route.body != nil, route.foreign == nil { kinds.append(.encoded) }
        if route.concernsRequests { kinds += [.starting, .closing] }
        return kinds + route.problems
    }

    private static let firstSchemas = ["Batch", "Recipient", "Listed", "Erasure", "Message", "Callback"]

    /// Returns the schemas of all features between those that all routes use.
    private static func schemas(of table: RouteTable) -> JSONObject {
        let text: JSONValue = ["type": "string"]
        let key: JSONObject = ["id": text, "appGroup": text]
        var state = key
        state.append("state", ["type": "string", "enum": ["queued", "running", "emitted"]])
        var schemas: JSONObject = [
            "Count": ["type": "integer", "minimum": 0], "RequestKey": .object(of: key),
            "RequestState": .object(of: state),
        ]
        let features = table.routes.flatMap(\.components.members)
        // The schemas keep their places when routes move, so that the document changes only where the API does.
        for schema in firstSchemas.compactMap({ name in features.first { $0.key == name } }) + features
        where schemas[schema.key] == nil { schemas.append(schema.key, schema.value) }
        schemas.append(
            "Problem",
            [
                "type": "object", "required": ["type", "title", "status", "detail"],
                "properties": [
                    "type": ["type": "string", "enum": .array(Problem.Kind.allCases.map { .string($0.page) })],
                    "title": text, "status": ["type": "integer"], "detail": text,
                ],
            ]
        )
        for schema in table.foreign?.components.members ?? [] { schemas.append(schema.key, schema.value) }
        schemas.append(
            "Result",
            [
                "type": "object",
                "description": "The processed notification content, as content.schema.json describes it in full.",
                "required": ["schemaVersion", "id", "appGroup", "profile", "outcome", "content", "verdicts", "timing"],
                "properties": [
                    "schemaVersion": ["type": "integer"], "id": text, "appGroup": text, "profile": text,
                    "outcome": ["type": "string", "enum": .array(Outcome.allCases.map { .string($0.rawValue) })],
                    "content": ["type": ["object", "null"]], "verdicts": ["type": "array"],
                    "timing": ["type": "object"],
                ],
            ])
        return schemas
    }
}
