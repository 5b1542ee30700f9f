import NotificationModel

/// What somebody has told, on whatever thread.
final class Told<Value: Sendable>: Sendable {
    private let values = Guarded<[Value]>([])

    func add(_ value: Value) { values.withLock { $0.append(value) } }

    var all: [Value] { values.withLock { $0 } }
}
