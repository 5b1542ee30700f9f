package import JSON

/// A layer of the sandbox between a worker and the rest of the machine.
package enum SandboxLayer: String, Sendable, CaseIterable {
    /// No system calls but those of `AllowedCall.all`.
    case systemCalls
    /// No file can be opened, no TCP port used, no process outside signalled (Landlock).
    case files
    /// Memory, file sizes, descriptors and processes are bounded, and there are no core dumps (setrlimit(2)).
    case limits
    /// No program can give the worker more rights than it has (`PR_SET_NO_NEW_PRIVS`).
    case privileges
    /// No capability in any set.
    case capabilities
    /// A user of its own, when the daemon runs as root.
    case user

    /// A noun for sentences.
    package var name: String {
        switch self {
        case .systemCalls: "system call filter"
        case .files: "Landlock"
        case .limits: "resource limits"
        case .privileges: "no new privileges"
        case .capabilities: "no capabilities"
        case .user: "own user"
        }
    }
}

/// The layers without which no medium is decoded.
package enum SandboxRequirement: String, Sendable, CaseIterable {
    case none
    /// The filter of system calls.
    case filter
    /// Every layer.
    case all
}

/// The state of a layer in one worker.
package struct LayerState: Sendable, Equatable {
    package let layer: SandboxLayer
    package let stands: Bool
    /// A few words: the extent of the layer, or why it does not stand.
    package let detail: String

    package init(_ layer: SandboxLayer, stands: Bool, _ detail: String) {
        self.layer = layer
        self.stands = stands
        self.detail = detail
    }
}

/// The sandbox of a worker, as the worker itself raised it.
package struct SandboxReport: Sendable, Equatable {
    package var layers: [LayerState]
    /// `mmap (private; …)`, one for each call that the filter allows.
    package var allowedCalls: [String]

    package init(layers: [LayerState], allowedCalls: [String]) {
        self.layers = layers
        self.allowedCalls = allowedCalls
    }

    package var missing: [LayerState] { layers.filter { !$0.stands } }

    /// The layers without which a worker takes no jobs.
    package func missing(for requirement: SandboxRequirement) -> [LayerState] {
        switch requirement {
        case .none: []
        case .filter: missing.filter { $0.layer == .systemCalls }
        case .all: missing
        }
    }

    /// Whether a required layer is missing, or one without which a decoder can do whatever its user can.
    package func isUnsafe(for requirement: SandboxRequirement) -> Bool {
        !missing(for: requirement).isEmpty || missing.contains { $0.layer == .systemCalls || $0.layer == .limits }
    }

    package var json: JSONValue {
        var states = JSONObject()
        for state in layers {
            states.append(state.layer.rawValue, ["stands": .bool(state.stands), "detail": .string(state.detail)])
        }
        return ["layers": .object(states), "allowedCalls": .array(allowedCalls.map { .string($0) })]
    }

    /// - Returns: `nil` when it is no report of this version.
    package init?(_ json: JSONValue) {
        guard let calls = json["allowedCalls"]?.array, let states = json["layers"]?.object else { return nil }
        allowedCalls = calls.compactMap(\.string)
        layers = []
        for layer in SandboxLayer.allCases {
            guard let state = states[layer.rawValue], let stands = state["stands"]?.bool,
                let detail = state["detail"]?.string
            else { return nil }
            layers.append(LayerState(layer, stands: stands, detail))
        }
    }
}
