import Glibc
import LinuxIO
import TestSupport
import Testing

struct ServiceNotifierTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var path: String { "\(directory.path)/notify" }

    @Test func `each state is sent as one message with one assignment on each line`() throws {
        let manager = try DatagramListener(path: path)
        let notifier = ServiceNotifier(socket: path)
        try notifier.ready()
        #expect(manager.next() == "READY=1")
        try notifier.ready(status: "listening on 127.0.0.1:8480")
        #expect(manager.next() == "READY=1\nSTATUS=listening on 127.0.0.1:8480")
        try notifier.stopping()
        #expect(manager.next() == "STOPPING=1")
        try notifier.status("three in flight")
        #expect(manager.next() == "STATUS=three in flight")
    }

    @Test func `a reload is sent with its start on the monotonic clock`() throws {
        let manager = try DatagramListener(path: path)
        func now() -> UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
        }
        let before = now()
        try ServiceNotifier(socket: path).reloading(status: "reading")
        let after = now()
        let lines = manager.next().split(separator: "\n")
        try #require(lines.count == 3)
        #expect(lines[0] == "RELOADING=1" && lines[2] == "STATUS=reading")
        let reported = try #require(UInt64(lines[1].dropFirst("MONOTONIC_USEC=".count)))
        #expect(lines[1].hasPrefix("MONOTONIC_USEC=") && (before...after).contains(reported))
    }

    @Test(arguments: ["a\nREADY=1", "a\r\nREADY=1"])
    func `a line break in a status cannot begin another assignment`(_ text: String) throws {
        let manager = try DatagramListener(path: path)
        try ServiceNotifier(socket: path).status(text)
        #expect(manager.next() == "STATUS=a READY=1")
    }

    @Test func `a manager that reads no messages makes no call wait`() throws {
        let manager = try DatagramListener(path: path)
        let notifier = ServiceNotifier(socket: path)
        let error = #expect(throws: SystemError.self) {
            for _ in 0..<100_000 { try notifier.alive() }
        }
        #expect(error?.errno == EAGAIN)
        withExtendedLifetime(manager) {}
    }

    @Test func `the end of the start waits a second for a manager that reads no messages`() throws {
        let manager = try DatagramListener(path: path)
        let notifier = ServiceNotifier(socket: path)
        #expect(throws: SystemError.self) { for _ in 0..<100_000 { try notifier.alive() } }
        let start = ContinuousClock.now
        let error = #expect(throws: SystemError.self) { try notifier.ready() }
        #expect(error?.errno == EAGAIN)
        #expect(start.duration(to: .now) >= .milliseconds(900))
        withExtendedLifetime(manager) {}
    }

    @Test func `a socket in the abstract namespace is supported`() throws {
        let name = "@appgroupd-test-\(UInt64.random(in: 0 ... .max))"
        let manager = try DatagramListener(path: name)
        try ServiceNotifier(socket: name).ready()
        #expect(manager.next() == "READY=1")
    }

    @Test(arguments: [nil, ""])
    func `a notifier without a socket sends no message`(_ socket: String?) throws {
        let notifier = ServiceNotifier(socket: socket)
        try notifier.ready()
        try notifier.reloading()
    }

    @Test(arguments: [
        ("/missing/notify", ENOENT), ("x", EINVAL), ("/" + String(repeating: "x", count: 107), ENAMETOOLONG),
    ])
    func `the error of a missing service manager names its socket`(_ socket: String, _ errno: Int32) {
        let error = #expect(throws: SystemError.self) { try ServiceNotifier(socket: socket).ready() }
        #expect(error?.errno == errno)
        #expect(error?.call == "notify \(socket)")
    }

    @Test func `the environment variable names the socket`() async throws {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let manager = try DatagramListener(path: directory.path + "/notify")
            setenv("NOTIFY_SOCKET", directory.path + "/notify", 1)
            try ServiceNotifier().ready()
            #expect(manager.next() == "READY=1")
        }
    }

    @Test(
        arguments: [
            ([:], nil), (["WATCHDOG_USEC": "60000000"], Duration.seconds(60)),
            (["WATCHDOG_USEC": "1500000", "WATCHDOG_PID": "7"], .milliseconds(1_500)),
            (["WATCHDOG_USEC": "1500000", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "-5"], nil), (["WATCHDOG_USEC": "soon"], nil),
        ] as [([String: String], Duration?)]) func `the interval of the watchdog is that of the variables`(
            _ variables: [String: String], _ interval: Duration?
        )
    {
        #expect(ServiceNotifier.watchdogInterval(processIdentifier: 7) { variables[$0] } == interval)
    }
}
