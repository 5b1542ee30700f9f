package import Base

/// A layer of the sandbox between a worker and the rest of the machine.
package enum SandboxLayer: String, Sendable, CaseIterable {
    /// The kernel traps all system calls that are not in `AllowedCall.all`.
    case systemCalls
    /// The worker cannot open a file, use a TCP port, or signal a process outside of the sandbox (Landlock).
    case files
    /// Memory, file sizes, descriptors and processes are limited, and there are no core dumps (setrlimit(2)).
    case limits
    /// No program can give the worker more rights than it has (`PR_SET_NO_NEW_PRIVS`).
    case privileges
    /// All sets of capabilities are empty.
    case capabilities
    /// The worker has a separate user if the daemon runs as root.
    case user

    /// The name of the layer as a noun in a sentence.
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

/// The layers without which no media item is decoded.
package enum SandboxRequirement: String, Sendable, CaseIterable {
    case none
    /// The filter of system calls is required.
    case filter
    /// All layers are required.
    case all
}

/// The state of a layer in one worker.
package struct LayerState: Sendable, Equatable {
    package let layer: SandboxLayer
    package let stands: Bool
    /// A few words about the extent of the layer, or the reason why it is not in place.
    package let detail: String

    package init(_ layer: SandboxLayer, stands: Bool, _ detail: String) {
        self.layer = layer
        self.stands = stands
        self.detail = detail
    }
}

/// The report of a worker about its own sandbox.
package struct SandboxReport: Sendable, Equatable {
    package var layers: [LayerState]
    /// The allowed calls with their conditions, such as `mmap (private; …)`.
    package var allowedCalls: [String]

    package init(layers: [LayerState], allowedCalls: [String]) {
        self.layers = layers
        self.allowedCalls = allowedCalls
    }

    package var missing: [LayerState] { layers.filter { !$0.stands } }

    /// Returns the missing layers without which a worker takes no jobs.
    package func missing(for requirement: SandboxRequirement) -> [LayerState] {
        switch requirement {
        case .none: []
        case .filter: missing.filter { $0.layer == .systemCalls }
        case .all: missing
        }
    }

    /// Returns whether a layer is missing that is required, or without which a decoder could do all that its user can.
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

    /// Reads a report from JSON.
    ///
    /// - Returns: `nil` if the value is not a report of this version.
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
