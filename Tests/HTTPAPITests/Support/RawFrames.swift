/// An HTTP/2 connection that sends exactly the given frames (RFC 9113 §4), and returns each received frame.
struct RawFrames {
    struct Frame: Sendable {
        enum Kind: UInt8 {
            case data = 0
            case headers = 1
            case reset = 3
            case settings = 4
            case ping = 6
            case goAway = 7
            case windowUpdate = 8
        }

        /// The type of the frame; `nil` for other types.
        let kind: Kind?
        let flags: UInt8
        let stream: UInt32
        let payload: [UInt8]

        /// Whether the frame acknowledges SETTINGS or a PING, or is the last one of its stream.
        var hasFirstFlag: Bool { flags & 1 != 0 }
        /// The increment of a WINDOW_UPDATE.
        var increment: Int { payload.prefix(4).reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff }
        /// The status of a HEADERS frame if the static table has it (RFC 7541, appendix A); 0 for any other status.
        var status: Int {
            let indexed: [UInt8: Int] = [0x88: 200, 0x89: 204, 0x8C: 400, 0x8D: 404]
            return payload.first.flatMap { indexed[$0] } ?? 0
        }
    }

    private var connection: RawConnection

    /// Connects to a port, and sends the preface and SETTINGS. SETTINGS of the server are not acknowledged.
    static func open<Result: Sendable>(
        to port: Int, _ body: (inout RawFrames) async throws -> Result
    ) async throws -> Result {
        try await RawConnection.open(to: .tls(port, protocol: "h2")) { connection in
            var frames = RawFrames(connection: connection)
            try await connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            try await frames.send(.settings)
            return try await body(&frames)
        }
    }

    func send(_ kind: Frame.Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) async throws {
        let head = [16, 8, 0].map { UInt8(truncatingIfNeeded: payload.count >> $0) } + [kind.rawValue, flags]
        let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: stream >> $0) }
        try await connection.send(head + number + payload)
    }

    /// Sends the head of a request. Each field is a literal without indexing (RFC 7541 §6.2.2).
    func sendHead(
        _ fields: [(name: String, value: String)], stream: UInt32, isLast: Bool = true
    ) async throws {
        let block = fields.flatMap { field -> [UInt8] in
            [0, UInt8(field.name.utf8.count)] + Array(field.name.utf8) + [UInt8(field.value.utf8.count)]
                + Array(field.value.utf8)
        }
        try await send(.headers, flags: isLast ? 5 : 4, stream: stream, block)
    }

    /// Sends a request for a path of `localhost`.
    func request(_ method: String, _ path: String, stream: UInt32, isLast: Bool = true) async throws {
        try await sendHead(
            [(":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", path)], stream: stream,
            isLast: isLast)
    }

    /// Returns the next frame. The payload of a frame is at most 16 KiB.
    mutating func next() async throws -> Frame {
        let head = try await connection.read(9)
        let payload = try await connection.read(head.prefix(3).reduce(0) { $0 << 8 | Int($1) })
        return Frame(
            kind: Frame.Kind(rawValue: head[3]), flags: head[4],
            stream: head[5...].reduce(0) { $0 << 8 | UInt32($1) } & 0x7fff_ffff, payload: payload)
    }

    /// Returns the next frame of a kind, and skips other frames.
    mutating func next(_ kind: Frame.Kind) async throws -> Frame {
        while true {
            let frame = try await next()
            if frame.kind == kind { return frame }
        }
    }
}
