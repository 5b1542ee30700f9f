import Base
import Glibc
import LinuxIO
import NotificationModel

/// A name server on the loopback interface. It listens on UDP and TCP, follows its script and records the questions.
final class NameServer: Sendable {
    /// Returns the messages to send back, in order. If there are no messages, the server is silent over UDP, and closes
    /// a TCP connection.
    typealias Script = @Sendable (DNSQuestion) -> [[UInt8]]

    private struct State {
        var questions: [DNSQuestion] = []
        /// The number of open TCP connections.
        var connections = 0
        var waiting: [(isDue: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let loop: EventLoop
    private let sockets: LoopbackSockets
    private let script: Script
    private let state = Guarded(State())
    /// The address in the form of `ResolverSettings.nameservers`.
    let address: String

    init(_ script: @escaping Script) throws {
        self.script = script
        sockets = try LoopbackSockets()
        address = "127.0.0.1:\(sockets.port)"
        loop = try EventLoop.start(name: "agd-names")
        loop.execute { [self] in
            loop.watch(sockets.datagrams.raw, for: .readable) { [unowned self] _ in receive() }
            loop.watch(sockets.listener.raw, for: .readable) { [unowned self] _ in accept() }
        }
    }

    /// Returns when the thread of the server runs.
    func waitForStart() async { await withCheckedContinuation { start in loop.execute { start.resume() } } }

    func shutdown() { loop.shutdown() }

    var questions: [DNSQuestion] { state.withLock { $0.questions } }

    /// Returns when at least `count` questions have come since the start.
    func waitForQuestions(_ count: Int) async { await wait { $0.questions.count >= count } }

    /// Returns when all TCP connections have ended.
    func waitForNoConnections() async { await wait { $0.connections == 0 } }

    private func wait(until isDue: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if isDue(state) { return true }
                state.waiting.append((isDue, continuation))
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// Sends a datagram to the sender of a question.
    func send(_ message: [UInt8], to question: DNSQuestion) {
        var sender = question.sender
        _ = withUnsafePointer(to: &sender) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(sockets.datagrams.raw, message, message.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private func receive() {
        var bytes = [UInt8](repeating: 0, count: 2_048)
        var sender = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = withUnsafeMutablePointer(to: &sender) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(sockets.datagrams.raw, &bytes, bytes.count, Int32(MSG_DONTWAIT), $0, &length)
            }
        }
        guard count > 0, let question = DNSQuestion(Array(bytes.prefix(count)), isStream: false, from: sender) else {
            return
        }
        // The question is recorded before the answer is sent, because a test may read the questions as soon as it has
        // the answer.
        note { $0.questions.append(question) }
        for message in script(question) { send(message, to: question) }
    }

    private func accept() {
        let accepted = Glibc.accept(sockets.listener.raw, nil, nil)
        guard accepted >= 0 else { return }
        let connection = StreamConnection(adopting: accepted)
        note { $0.connections += 1 }
        loop.watch(accepted, for: .readable) { [unowned self] _ in
            guard !connection.receive() || !answer(connection) else { return }
            loop.unwatch(accepted)
            connection.end()
            note { $0.connections -= 1 }
        }
    }

    /// Answers the questions that have arrived on a connection.
    ///
    /// - Returns: `false` if the script ends the connection.
    private func answer(_ connection: StreamConnection) -> Bool {
        while let message = connection.next() {
            guard let question = DNSQuestion(message, isStream: true, from: sockaddr_in()) else { return false }
            let answers = script(question)
            note { $0.questions.append(question) }
            for answer in answers { connection.send(answer) }
            if answers.isEmpty { return false }
        }
        return true
    }

    private func note(_ change: @Sendable (inout State) -> Void) {
        let due = state.withLock { state in
            change(&state)
            let current = state
            defer { state.waiting.removeAll { $0.isDue(current) } }
            return state.waiting.filter { $0.isDue(current) }
        }
        for waiting in due { waiting.continuation.resume() }
    }
}
