import Base
import HTTPAPI
import HTTPTypes
import HummingbirdCore

/// An error in the form that homeservers and clients of Matrix read (Matrix specification, "Standard error response").
struct MatrixError {
    /// The codes. A path or a method that does not exist is `M_UNRECOGNIZED` since version 1.7 of the specification.
    private static let codes: [Problem.Kind: String] = [
        .notFound: "M_UNRECOGNIZED", .wrongMethod: "M_UNRECOGNIZED", .forbidden: "M_FORBIDDEN",
        .notJSON: "M_NOT_JSON", .tooLarge: "M_TOO_LARGE", .limited: "M_LIMIT_EXCEEDED", .full: "M_LIMIT_EXCEEDED",
    ]

    private let problem: Problem

    init(_ problem: Problem) { self.problem = problem }

    private var code: String {
        if let code = problem.members["errcode"]?.string { return code }
        guard problem.kind == .unauthenticated else { return Self.codes[problem.kind] ?? "M_UNKNOWN" }
        let isInvalid = problem.headers[.wwwAuthenticate]?.contains("invalid_token") == true
        return isInvalid ? "M_UNKNOWN_TOKEN" : "M_MISSING_TOKEN"
    }

    var response: Response {
        var object: JSONObject = ["errcode": .string(code), "error": .string(problem.detail)]
        if let seconds = problem.headers[.retryAfter].flatMap({ Int($0) }) {
            object.append("retry_after_ms", .number(seconds * 1_000))
        }
        for member in problem.members.members where member.key != "errcode" { object.append(member.key, member.value) }
        var response = Response.json(.object(object), status: problem.kind.status)
        response.headers.append(contentsOf: problem.headers)
        return response
    }

    /// The description of an error, and its schema, for the OpenAPI document.
    static let description: JSONValue = [
        "description": "An error in the form of Matrix.",
        "content": ["application/json": ["schema": .component("MatrixError")]],
    ]
    static let schemas: JSONObject = [
        "MatrixError": [
            "type": "object", "required": ["errcode", "error"],
            "properties": ["errcode": .anyText, "error": .anyText, "retry_after_ms": .component("Count")],
        ]
    ]
}
