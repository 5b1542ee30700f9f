import Lab

/// A request on a separate connection, and its response up to the end of the connection.
struct Exchange {
    let head: WireHead
    let body: [UInt8]
    let end: RawConnection.End

    var text: String { String(decoding: body, as: UTF8.self) }

    static func get(
        _ target: String, from origin: MisbehavingOrigin, method: String = "GET", fields: String = ""
    ) async throws -> Exchange {
        try await RawConnection.open(to: origin.port) { connection in
            try await connection.send("\(method) \(target) HTTP/1.1\r\nHost: lab\r\nConnection: close\r\n\(fields)\r\n")
            let head = try await connection.readHead()
            let (body, end) = try await connection.readToEnd()
            return Exchange(head: head, body: body, end: end)
        }
    }
}

/// Calls `body` with an origin that serves ``TemporaryDirectory/withMedia()``.
func withMediaOrigin<Result>(_ body: (MisbehavingOrigin) async throws -> Result) async throws -> Result {
    let directory = try TemporaryDirectory.withMedia()
    defer { directory.remove() }
    return try await MisbehavingOrigin.withOrigin(serving: directory.path, body)
}
