import Sandbox
import Testing

/// Tests of the command line of a worker.
struct WorkerOptionsTests {
    @Test(arguments: [nil, WorkerUser(user: 65_534, group: 65_533)], [true, false])
    func `a worker reads the options that its daemon wrote`(_ user: WorkerUser?, _ isSet: Bool) {
        for requirement in SandboxRequirement.allCases {
            var options = WorkerOptions(user: user, requirement: requirement)
            options.isForWarming = isSet
            options.describes = !isSet
            #expect(WorkerOptions(arguments: options.arguments) == options)
        }
    }

    @Test(
        arguments: [
            ["--user"], ["--user", "nobody"], ["--user", "1"], ["--user", "1:"], ["--user", ":1"], ["--user", "1:2:3"],
            ["--user", "-1:2"], ["--user", "4294967296:1"], ["--require"], ["--require", "some"], ["--warming", "1"],
            ["--no-sandbox"], ["-h"], ["file.jpg"], [""],
        ])
    func `an option that no daemon writes is refused`(_ arguments: [String]) {
        #expect(WorkerOptions(arguments: arguments) == nil)
    }
}
