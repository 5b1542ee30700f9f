import LinuxIO

/// The command line of a worker. The daemon writes it, and the worker reads it.
package struct WorkerOptions: Sendable, Equatable {
    /// The user that the worker becomes; `nil` if it keeps the user of the daemon.
    package var user: WorkerUser?
    /// Whether the worker serves warming only. Such a worker has the lowest processor priority (nice 19).
    package var isForWarming = false
    /// The layers that are required. If one of them is missing, the worker takes no jobs.
    package var requirement = SandboxRequirement.none
    /// The build of the program that starts the worker. A worker of another build ends with ``refusal``, because the two
    /// may differ in the form of their messages.
    package var build: String? = Build.commit
    /// Whether the worker takes no jobs, and reports its sandbox and its libraries instead.
    package var describes = false

    package init(user: WorkerUser? = nil, requirement: SandboxRequirement = .none) {
        self.user = user
        self.requirement = requirement
    }

    /// The exit status of a worker that does not know the arguments, or that is of another build.
    package static let refusal: Int32 = 2

    /// The arguments, without the name of the program.
    package var arguments: [String] {
        (build.map { ["--build", $0] } ?? []) + (user.map { ["--user", $0.text] } ?? [])
            + (isForWarming ? ["--warming"] : [])
            + (requirement == .none ? [] : ["--require", requirement.rawValue]) + (describes ? ["--describe"] : [])
    }

    /// Parses the arguments, without the name of the program.
    ///
    /// - Returns: `nil` if no daemon of this version writes these arguments.
    package init?(arguments: some Sequence<String>) {
        self.init()
        build = nil
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--user":
                guard let user = rest.popFirst().flatMap({ WorkerUser(text: $0) }) else { return nil }
                self.user = user
            case "--build":
                guard let build = rest.popFirst() else { return nil }
                self.build = build
            case "--warming": isForWarming = true
            case "--require":
                guard let requirement = rest.popFirst().flatMap(SandboxRequirement.init(rawValue:)) else { return nil }
                self.requirement = requirement
            case "--describe": describes = true
            default: return nil
            }
        }
    }
}

/// The user and group that the worker of a root daemon becomes.
package struct WorkerUser: Sendable, Equatable {
    package let user: UInt32
    package let group: UInt32

    package init(user: UInt32, group: UInt32) {
        self.user = user
        self.group = group
    }

    /// The numbers of the user and the group as text, such as `65534:65534`.
    package var text: String { "\(user):\(group)" }

    package init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { UInt32($0) }
        guard parts.count == 2, let user = parts[0], let group = parts[1], user != .max, group != .max else {
            return nil
        }
        self.init(user: user, group: group)
    }
}
